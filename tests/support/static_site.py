"""The static site (`make site`) in tests of the page: where it is, and the tests that need a server.

`make site-tests` runs the tests of `tests/browser` on it, too: with MINEPROOF_SITE=build/site their page has no server.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / os.environ["MINEPROOF_SITE"] if os.environ.get("MINEPROOF_SITE") else None

REQUESTS = "It watches, delays, changes or makes requests over HTTP. The static site has none."
SERVER = "It is about the server or its sources: addresses, other origins, players, versions, ends and starts."
START = (
    "It limits what the first page loads. The static site goes on to load the engine; test_visits.py has its limits."
)
SOURCES = "It loads the sources of the page one by one, with ?debug."
FOLDER = "It reads what the page changed from the data folder of the server."
PAGES = "It opens an answer of the server at its address. The static site opens such pages from a click."

# The tests of tests/browser that do not run on the static site, by file or by function, and why.
NEEDS_SERVER: dict[str, str | dict[str, str]] = {
    "test_analyse.py": {
        "test_a_contradiction_is_outlined_and_the_wrong_flag_named": REQUESTS,
        "test_an_edit_stops_the_question_before_it": REQUESTS,
        "test_what_was_stopped_by_leaving_is_asked_again": REQUESTS,
        "test_fractions_are_asked_for_once": REQUESTS,
        "test_it_can_be_stopped_and_says_when_the_budget_is_spent": REQUESTS,
    },
    "test_api_page.py": SERVER,
    "test_board.py": {
        "test_a_flag_on_a_safe_cell_is_struck_out": SOURCES,
        "test_a_new_game_that_cannot_lose_shows_no_odds": SOURCES,
        "test_an_opening_spreads_from_where_it_began": SOURCES,
        "test_certain_cells_are_green_and_red_with_a_sign": SOURCES,
        "test_differing_odds_are_printed_in_each_cell": SOURCES,
        "test_effects_end_with_the_true_board": SOURCES,
        "test_joined_borders_have_arrows": SOURCES,
        "test_numbers_have_colours_for_colour_blind_players": SOURCES,
        "test_odds_away_from_the_numbers_are_printed_once": SOURCES,
        "test_skins_apply_at_once": SOURCES,
        "test_the_canvas_begins_on_whole_pixels": SOURCES,
        "test_the_frame_moves_with_the_board": SOURCES,
        "test_the_star_of_the_best_move_leaves_the_tick_alone": SOURCES,
        "test_tiles_leave_no_gaps_at_their_corners": SOURCES,
        "test_without_motion_there_are_no_effects": SOURCES,
    },
    "test_bundle.py": SERVER,
    "test_feel.py": {
        "test_what_the_server_refuses_is_taken_back": REQUESTS,
        "test_a_move_whose_response_got_lost_is_not_made_twice": REQUESTS,
        "test_a_lost_game_keeps_its_review_when_it_is_continued": REQUESTS,
        "test_the_result_has_record_and_streak": REQUESTS,
        "test_a_win_with_help_says_so": REQUESTS,
        "test_moves_made_offline_are_sent_when_the_connection_is_back": REQUESTS,
        "test_quick_moves_are_sent_in_their_order": REQUESTS,
    },
    "test_first_page.py": {
        "test_it_is_small": START,
        "test_nothing_is_asked_of_another_site": START,
    },
    "test_generate.py": {
        "test_a_search_is_cancelled": REQUESTS,
        "test_what_to_loosen_where_nothing_is_found": REQUESTS,
    },
    "test_hints.py": {"test_a_wrong_flag_is_explained_in_four_levels": REQUESTS},
    "test_history.py": {
        "test_a_game_is_named_by_the_keyboard_and_forgotten_when_sure": FOLDER,
        "test_replays_are_added_from_files": FOLDER,
        "test_a_first_visit_leads_to_play": SERVER,
        "test_a_server_that_fails_is_told_and_asked_again": REQUESTS,
    },
    "test_languages.py": {
        "test_the_browser_chooses_german": REQUESTS,
        "test_a_page_without_its_texts_says_so": REQUESTS,
    },
    "test_layout.py": {
        "test_no_guess_and_fairness_start_a_game_with_them": REQUESTS,
        "test_help_is_in_the_thumb_bar_which_can_be_left_handed": REQUESTS,
    },
    "test_learn.py": {"test_right_answers_climb_the_ladder": REQUESTS},
    "test_lessons.py": PAGES,
    "test_other_origins.py": SERVER,
    "test_play.py": {
        "test_a_game_by_mouse": REQUESTS,
        "test_a_server_that_ends_and_comes_back": SERVER,
        "test_a_screen_that_did_not_arrive_says_so": REQUESTS,
        "test_autoplay_says_why_and_stops_when_told": REQUESTS,
    },
    "test_players.py": SERVER,
    "test_practise.py": {
        "test_wrong_harder_and_right_by_mouse": REQUESTS,
        "test_the_next_puzzle_is_there_before_the_answer": REQUESTS,
        "test_the_best_guess": REQUESTS,
        "test_a_search_is_cancelled": REQUESTS,
        "test_a_search_that_finds_nothing_says_so": REQUESTS,
        "test_a_skeleton_while_the_first_one_loads": REQUESTS,
        "test_a_storm_of_three_minutes": REQUESTS,
        "test_a_storm_that_ends_while_a_puzzle_loads_shows_none": REQUESTS,
        "test_a_failed_puzzle_is_retried_from_the_progress": REQUESTS,
        "test_a_right_answer_counts": REQUESTS,
        "test_a_streak_until_the_first_mistake": REQUESTS,
        "test_the_clock_of_a_storm_goes_down": REQUESTS,
    },
    "test_replay.py": {
        "test_the_game_runs_in_its_own_time_or_faster": REQUESTS,
        "test_a_lesson_that_cannot_be_made_is_told_in_words": REQUESTS,
        "test_help_is_named_and_takes_the_credit": PAGES,
        "test_signs_of_the_lesson_are_drawn": PAGES,
        "test_one_guess_is_no_guesses": REQUESTS,
        "test_imported_games_are_apart_from_my_own": REQUESTS,
        "test_a_picture_dropped_on_play_is_read_by_analyse": REQUESTS,
    },
    "test_rig.py": SERVER,
    "test_screenshot.py": {
        "test_a_pasted_screenshot_is_read": REQUESTS,
        "test_a_chosen_screenshot_is_read": REQUESTS,
        "test_reading_can_be_stopped": REQUESTS,
        "test_the_picture_is_shown_while_it_is_read": REQUESTS,
        "test_the_total_is_asked_where_it_is_missing": REQUESTS,
        "test_a_picture_is_pasted_by_the_button": REQUESTS,
        "test_a_group_is_confirmed_or_corrected": REQUESTS,
        "test_an_answer_that_fails_can_be_given_again": REQUESTS,
        "test_dashes_are_drawn_as_long_as_there_is_doubt": REQUESTS,
        "test_doubts_are_outlined_and_listed_with_the_picture": REQUESTS,
        "test_it_fits_a_phone": REQUESTS,
        "test_it_is_accessible": REQUESTS,
        "test_it_is_put_away_and_kept_off_other_positions": REQUESTS,
        "test_painting_settles_a_cell_and_stays": REQUESTS,
    },
    "test_simulate.py": {
        "test_it_is_stopped_and_goes_on_as_if_it_had_not_been": REQUESTS,
        "test_it_goes_on_after_the_server_was_killed": SERVER,
        "test_an_end_is_told_on_another_screen": REQUESTS,
        "test_strategies_of_installed_packages_can_be_chosen": SERVER,
    },
    "test_thinking.py": {
        "test_the_time_is_chosen_and_kept": REQUESTS,
        "test_a_server_that_is_busy_says_so": REQUESTS,
        "test_a_move_another_question_or_leaving_aborts_it": REQUESTS,
        "test_an_edit_or_leaving_aborts_it_in_an_analysis": REQUESTS,
        "test_folding_the_panel_ends_it_and_unfolding_offers_it_again": REQUESTS,
    },
}


def needs_server(file: str, function: str) -> str | None:
    """Why a test cannot run on the static site, or None."""
    reasons = NEEDS_SERVER.get(file)
    return reasons if isinstance(reasons, str) or reasons is None else reasons.get(function)


@contextmanager
def serving_site(folder: Path, prefix: str) -> Iterator[int]:
    """The port of a host of static files, as `make site-serve` is, with the site below ``prefix``."""
    sys.path.append(str(ROOT / "tools"))
    from static_site.serve import make_server

    with make_server(folder, 0, prefix) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
