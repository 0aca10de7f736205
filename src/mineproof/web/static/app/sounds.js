/**
 * What a game sounds and feels like: short sounds made by WebAudio, without files, and vibration. Both have a switch in
 * the settings. Browsers allow sound only after the player has pressed something, so the audio starts with a press.
 *
 * @typedef {"open" | "flag" | "unflag" | "chord" | "explode" | "win"} Sound
 * @typedef {object} Tone
 * @property {OscillatorType | "noise"} wave
 * @property {number} from frequency in hertz at the start; of noise, that of its low-pass filter
 * @property {number} to frequency at the end
 * @property {number} at start in seconds
 * @property {number} length in seconds
 * @property {number} volume from 0 to 1
 */
import { settings } from "./settings.js";

/** @type {(wave: Tone["wave"], from: number, to: number, at: number, length: number, volume: number) => Tone} */
const tone = (wave, from, to, at, length, volume) => ({ wave, from, to, at, length, volume });

/** @type {Record<Sound, Tone[]>} */
export const TONES = {
  open: [tone("triangle", 520, 380, 0, 0.05, 0.16)],
  flag: [tone("square", 660, 660, 0, 0.03, 0.06), tone("triangle", 880, 880, 0.03, 0.06, 0.14)],
  unflag: [tone("triangle", 660, 440, 0, 0.07, 0.12)],
  chord: [tone("triangle", 520, 400, 0, 0.05, 0.14), tone("triangle", 660, 500, 0.03, 0.06, 0.14)],
  explode: [tone("noise", 1400, 60, 0, 0.7, 0.5), tone("sine", 120, 35, 0, 0.5, 0.4)],
  win: [523, 659, 784, 1047].map((pitch, step) => tone("triangle", pitch, pitch, step * 0.11, 0.3, 0.16)),
};

/** Milliseconds that a phone vibrates, in turns with pauses. */
const VIBRATIONS = { press: [15], flag: [20], explode: [60, 40, 120] };

/** @type {AudioContext | null} */
let audio = null;

/** Play a sound, if the player wants sounds and has pressed something. @param {Sound} sound */
export function play(sound) {
  if (!settings.sound || !isActivated() || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  for (const one of TONES[sound]) start(audio, one);
}

/** Vibrate, where the device can and the player wants it. @param {keyof typeof VIBRATIONS} reason */
export function vibrate(reason) {
  if (settings.haptics && isActivated()) navigator.vibrate?.(VIBRATIONS[reason]);
}

/** Whether the player has pressed something; browsers without this answer decide for themselves. */
const isActivated = () => navigator.userActivation?.hasBeenActive ?? true;

/** @param {AudioContext} context @param {Tone} one */
function start(context, { wave, from, to, at, length, volume }) {
  const begin = context.currentTime + at;
  const gain = context.createGain();
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  gain.connect(context.destination);
  const source = wave === "noise" ? noise(context, length) : context.createOscillator();
  if (source instanceof OscillatorNode) source.type = /** @type {OscillatorType} */ (wave);
  const filter = wave === "noise" ? context.createBiquadFilter() : null;
  const frequency = source instanceof OscillatorNode ? source.frequency : filter?.frequency;
  frequency?.setValueAtTime(from, begin);
  frequency?.exponentialRampToValueAtTime(to, begin + length);
  if (filter) source.connect(filter).connect(gain);
  else source.connect(gain);
  source.start(begin);
  source.stop(begin + length);
}

/** @param {AudioContext} context @param {number} length in seconds */
function noise(context, length) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return source;
}
