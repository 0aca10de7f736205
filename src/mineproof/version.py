"""The version: the one place it is written."""

VERSION = "0.2.0"
