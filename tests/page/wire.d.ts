// Made by tools/wire.py from the modules `wire` of mineproof: change those, not this file.
// The JSON documents of the server, and the bodies and queries of requests.

// prettier-ignore
declare namespace Wire {
  /** The exact odds of a position. */
  interface AnalysisJson {
    board: BoardJson;
    columns: number;
    layouts: string | null;
    log10_layouts: number;
    mine_fraction?: ((string | null)[])[];
    mine_probability: ((number | null)[])[];
    mines: [number, number][];
    numbers?: PossibleNumberJson[];
    rows: number;
    safe: [number, number][];
    schema: "mineproof/analysis/1";
    states: number;
    total_mines: number | null;
  }

  interface AnalyzeRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    flags?: "ignore" | "trust" | undefined;
    density?: number | string | null | undefined;
    exact?: boolean | undefined;
    cell?: [number, number] | null | undefined;
    budget?: number | undefined;
    states?: number | undefined;
  }

  /** The best move of a position; answers have the ``board`` too. */
  interface BestMoveJson {
    best: [number, number] | null;
    board?: BoardJson;
    complete: boolean;
    exact: boolean;
    layouts: string | null;
    mine_probability: number | null;
    moves: RankedOptionJson[];
    playouts: number;
    reason: "ahead" | "done" | "fate" | "optimal" | "safe" | "safest";
    safest: [number, number] | null;
    schema: "mineproof/best/1";
    text: string;
    thought: ThoughtJson | null;
    win_fraction: string | null;
    win_probability: number | null;
  }

  interface BestRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    flags?: "ignore" | "trust" | undefined;
    exact?: boolean | undefined;
    strategy?: string | null | undefined;
    seconds?: number | null | undefined;
    playouts?: number | null | undefined;
    first_click?: "any" | "open" | "safe" | null | undefined;
    budget?: number | undefined;
    states?: number | undefined;
  }

  /** A position; ``cells`` has one string per row. */
  interface BoardJson {
    cells: string[];
    columns: number;
    rows: number;
    schema: "mineproof/board/1";
    topology: string;
    total_mines: number | null;
  }

  /** Bounds of sets of cells. */
  interface BoundsJson {
    schema: "mineproof/bounds/1";
    sets: BoundsRowJson[];
  }

  /** The fewest and the most mines among some cells. */
  interface BoundsRowJson {
    cells: [number, number][];
    least: number;
    most: number;
  }

  /** A proof that a layout needs no guess. */
  interface CertificateJson {
    columns: number;
    digest?: string;
    opened: [number, number][];
    rows: number;
    schema: "mineproof/certificate/1";
    solved: boolean;
    start: [number, number];
    steps: ProofStepJson[];
    topology: string;
    total_mines: number;
  }

  /** Whether a layout needs a guess. ``certificate`` is null if the certificate is valid. */
  interface CheckJson {
    board: string[];
    certificate?: ErrorJson | null;
    guess: HintJson | null;
    no_guess: boolean;
    open_cells: number;
    position: BoardJson;
    safe_cells: number;
    schema: "mineproof/check/1";
    start: [number, number];
    topology: string;
    total_mines: number | null;
  }

  interface CheckRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    start?: [number, number] | null | undefined;
    certificate?: unknown | null | undefined;
    anywhere?: boolean | undefined;
    budget?: number | undefined;
  }

  /** One clause of an argument. */
  interface ClauseJson {
    cells: [number, number][];
    count: number | null;
    kind: string;
    numbers: NumberAtJson[];
    parts: ClauseJson[];
  }

  /** Two strategies on the same games. */
  interface ComparisonJson {
    both: number;
    difference: number | null;
    games: number;
    interval: [number, number];
    neither: number;
    only_first: number;
    only_second: number;
    schema: "mineproof/comparison/1";
    simulations?: SimulationJson[];
    strategies: [string, string];
  }

  interface ContinueRequest {
    move: number;
  }

  interface ConvertRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    to?: string | undefined;
    start?: [number, number] | null | undefined;
  }

  /** A position that was converted, and how it was read. */
  interface ConvertedBoardJson {
    cells: string[];
    columns: number;
    read_as: FormatReadingJson;
    rows: number;
    schema: "mineproof/board/1";
    topology: string;
    total_mines: number | null;
  }

  /** A layout that was converted, and how it was read. */
  interface ConvertedLayoutJson {
    absent?: [number, number][];
    columns: number;
    mines: [number, number][];
    no_guess?: true;
    read_as: FormatReadingJson;
    rows: number;
    schema: "mineproof/layout/1";
    start: [number, number] | null;
    topology: string;
  }

  /** A judged answer, the new standing, and the change of the rating, null if it does not count. */
  interface CountedAnswerJson {
    cell: [number, number];
    change: number | null;
    counted: boolean;
    mine_probability: number;
    proof: DeductionJson[];
    puzzle: PuzzleJson;
    run: CountedRunJson | null;
    schema: "mineproof/answer/1";
    standing: StandingJson;
    text: string;
    verdict: "harder" | "right" | "wrong";
  }

  /** A streak or a storm, and the best score of its mode. */
  interface CountedRunJson {
    best: number;
    id: number;
    level: string;
    mistakes: number;
    mode: "storm" | "streak";
    over: boolean;
    schema: "mineproof/run/1";
    score: number;
    seconds_left: number | null;
    started: string;
  }

  /** The daily puzzles of a month that were answered. */
  interface DailyJson {
    daily_streak: number;
    days: DailyResultJson[];
    month: string;
    schema: "mineproof/daily/1";
    today: string;
  }

  interface DailyQuery {
    month?: string | null | undefined;
  }

  /** The answer to one daily puzzle. */
  interface DailyResultJson {
    date: string;
    ms: number | null;
    on_time: boolean;
    right: boolean;
    solved: boolean;
  }

  /** Results by technique and by day, failed puzzles, best and latest runs. */
  interface DashboardJson {
    best: Record<string, number>;
    days: DayResultsJson[];
    failed: FailedPuzzleJson[];
    runs: FinishedRunJson[];
    schema: "mineproof/dashboard/1";
    standing: StandingJson;
    techniques: TechniqueResultsJson[];
  }

  /** Results of one day. */
  interface DayResultsJson {
    answered: number;
    date: string;
    right: number;
  }

  /** A step; one of an older file has no ``pattern`` and no ``argument``. */
  interface DeductionJson {
    argument?: ClauseJson;
    because: [number, number][];
    mines: [number, number][];
    pattern?: string | null;
    safe: [number, number][];
    technique: string;
    text: string;
    uses_total: boolean;
  }

  /** Cells that look alike and may be misread. */
  interface DoubtJson {
    alternatives: MarkChanceJson[];
    cells: [number, number][];
    confidence: number;
    mark: string;
  }

  /** An error. Some codes have more keys: of a text that cannot be read, a contradiction, a budget, a certificate. */
  interface ErrorJson {
    cells?: number[][];
    code: string;
    column?: number | null;
    constraints?: number[];
    limit?: string | null;
    line?: number | null;
    message: string;
    schema: "mineproof/error/1";
    seconds?: number;
    source?: string | null;
    states?: number;
    step?: number | null;
    text?: string;
    uses_total?: boolean;
    width?: number | null;
    wrong_flags?: number[][];
  }

  interface ExportQuery {
    level?: string | null | undefined;
    help?: boolean | null | undefined;
    since?: string | null | undefined;
    until?: string | null | undefined;
    origin?: "all" | "imported" | "own" | null | undefined;
    won?: boolean | null | undefined;
    order?: "3bv" | "clicks" | "date" | "guesses" | "luck" | "speed" | "time" | undefined;
    limit?: number | null | undefined;
    to?: "csv" | "jsonl" | undefined;
  }

  /** A puzzle that was not solved. */
  interface FailedPuzzleJson {
    answered: string;
    level: string;
    seed: number;
    technique: string;
  }

  /** A streak or a storm that was played. */
  interface FinishedRunJson {
    level: string;
    mistakes: number;
    mode: "storm" | "streak";
    score: number;
    started: string;
  }

  /** A cell to begin with, and the chance to win by optimal play. */
  interface FirstMoveJson {
    cell: [number, number];
    exact: true;
    mine_probability: number;
    win_fraction: string;
    win_probability: number;
  }

  /** Where to begin on a size. */
  interface FirstMovesJson {
    best: [number, number] | null;
    columns: number;
    exact: true;
    first_click: "any" | "open" | "safe";
    mine_probability: number;
    mines: number;
    moves: FirstMoveJson[];
    rows: number;
    schema: "mineproof/best/1";
    topology: string;
    win_fraction: string | null;
    win_probability: number | null;
  }

  /** A game that a bot forfeited. */
  interface ForfeitJson {
    game: number;
    reason: string;
  }

  /** The number of forfeited games, and the first of them. */
  interface ForfeitsJson {
    count: number;
    first: ForfeitJson[];
  }

  /** Numbers of deleted games. */
  interface ForgottenJson {
    forgotten: number[];
    schema: "mineproof/forgotten/1";
  }

  /** How a text was read. */
  interface FormatReadingJson {
    format: string;
    holds: "both" | "layout" | "position";
    note: string;
    notes: string[];
  }

  interface GameBestQuery {
    seconds?: number | null | undefined;
  }

  /** The odds of a game, and the chance to get this far. */
  interface GameOddsJson {
    board: BoardJson;
    columns: number;
    layouts: string | null;
    log10_layouts: number;
    mine_fraction?: ((string | null)[])[];
    mine_probability: ((number | null)[])[];
    mines: [number, number][];
    numbers?: PossibleNumberJson[];
    rows: number;
    safe: [number, number][];
    schema: "mineproof/analysis/1";
    states: number;
    survived: number | null;
    total_mines: number | null;
  }

  interface GameThinkQuery {
    seconds: number;
  }

  interface GenerateRequest {
    level?: string | null | undefined;
    rows?: number | null | undefined;
    columns?: number | null | undefined;
    mines?: number | null | undefined;
    no_guess?: boolean | undefined;
    start?: [number, number] | null | undefined;
    first_click?: "any" | "open" | "safe" | null | undefined;
    seed?: number | null | undefined;
    number?: number | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | undefined;
    method?: "rejection" | "repair" | undefined;
    needs?: "bounds" | "contradiction" | "elimination" | "exhaustive" | "partition" | "single-flag" | "single-open" | "total" | null | undefined;
    hardest?: "bounds" | "contradiction" | "elimination" | "exhaustive" | "partition" | "single-flag" | "single-open" | "total" | null | undefined;
    difficulty?: number | [number | null, number | null] | null | undefined;
    bbbv?: number | [number | null, number | null] | null | undefined;
    openings?: number | [number | null, number | null] | null | undefined;
    islands?: number | [number | null, number | null] | null | undefined;
    zini?: number | [number | null, number | null] | null | undefined;
    human_zini?: number | [number | null, number | null] | null | undefined;
    certificate?: boolean | undefined;
    measures?: boolean | undefined;
    budget?: number | undefined;
  }

  /** A new layout; ``file`` is where it was written, if it was. */
  interface GeneratedJson {
    attempts: number;
    board?: BoardJson;
    certificate?: CertificateJson;
    file?: string;
    layout: LayoutJson;
    measures?: MeasuresJson;
    method: string;
    number: number;
    schema: "mineproof/generated/1";
    seed: number;
    step_texts?: string[];
  }

  /** What to learn from a guess. */
  interface GuessLessonJson {
    best: [number, number] | null;
    best_win: WinChanceJson | null;
    chosen_win: WinChanceJson | null;
    cost: number | null;
    exact: boolean;
    hint: HintJson | null;
    index: number;
    technique: string | null;
    text: string;
    was_worse: boolean;
  }

  /** A reveal that could have lost. */
  interface GuessReviewJson {
    alternative: [number, number] | null;
    alternative_fraction: string | null;
    alternative_probability: number | null;
    cell: [number, number];
    cells: [number, number][];
    forced: boolean;
    index: number;
    kept: number;
    kind: "chord" | "flag" | "open" | "question" | "undo";
    mine_fraction: string;
    mine_probability: number;
    ms: number;
    redrawn: boolean;
    survived: boolean;
    text: string;
    undone: boolean;
    was_best: boolean;
  }

  /** Counts of one game. */
  interface HelpUsed {
    hints?: [number, number, number, number];
    odds_moves?: number;
    best_moves?: number;
    auto_moves?: number;
    undos?: number;
    repeats?: number;
    pauses?: number;
  }

  /** Counts of help; hints by level. */
  interface HelpUsedJson {
    auto_moves: number;
    best_moves: number;
    hints: number[];
    odds_moves: number;
    pauses: number;
    repeats: number;
    undos: number;
  }

  /** A hint; keys that the level does not reveal are null. Answers have the ``board`` too. */
  interface HintJson {
    argument: ClauseJson | null;
    because: [number, number][] | null;
    board?: BoardJson;
    candidates: [number, number][] | null;
    cell: [number, number] | null;
    kind: "done" | "flag" | "guess" | "step";
    level: number;
    mine_fraction: string | null;
    mine_probability: number | null;
    mines: [number, number][] | null;
    near: [number, number] | null;
    pattern: string | null;
    safe: [number, number][] | null;
    safest: [number, number] | null;
    schema: "mineproof/hint/1";
    technique: string | null;
    text: string;
    uses_total: boolean | null;
  }

  interface HintQuery {
    level?: number | undefined;
  }

  interface HintRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    flags?: "check" | "ignore" | "trust" | undefined;
    density?: number | string | null | undefined;
    level?: number | undefined;
    prefer?: "easiest" | "safe" | undefined;
    safe_only?: boolean | undefined;
    budget?: number | undefined;
    states?: number | undefined;
  }

  /** A filter on finished games. */
  interface HistoryFilter {
    level?: string | null | undefined;
    help?: boolean | null | undefined;
    since?: string | null | undefined;
    until?: string | null | undefined;
    origin?: "all" | "imported" | "own" | null | undefined;
  }

  /** Finished games; ``review`` is that of a single one. */
  interface HistoryJson {
    games: KeptGameJson[];
    review?: ReviewJson;
    schema: "mineproof/history/1";
  }

  interface HistoryQuery {
    level?: string | null | undefined;
    help?: boolean | null | undefined;
    since?: string | null | undefined;
    until?: string | null | undefined;
    origin?: "all" | "imported" | "own" | null | undefined;
    won?: boolean | null | undefined;
    order?: "3bv" | "clicks" | "date" | "guesses" | "luck" | "speed" | "time" | undefined;
    limit?: number | null | undefined;
  }

  interface ImportRequest {
    data: string;
    file?: string | undefined;
    player?: string | null | undefined;
  }

  /** A file that was imported. */
  interface ImportedFileJson {
    error: ErrorJson | null;
    file: string;
    games: ImportedGameJson[];
  }

  /** A game of a file; ``new`` is false if it was known before. */
  interface ImportedGameJson {
    id: number;
    new: boolean;
  }

  /** Result of an import; ``left_out`` games had to wait, for there was no time. */
  interface ImportedJson {
    added: number;
    failed: number;
    files: ImportedFileJson[];
    known: number;
    left_out?: number;
    schema: "mineproof/imported/1";
  }

  /** A finished game; times end in Z. ``record`` and ``mouse_path`` are in exported files. */
  interface KeptGameJson {
    absent: number;
    accuracy: number | null;
    added: string;
    again: boolean | null;
    bbbv: number;
    bbbv_per_second: number | null;
    chord_rule: "at-least" | "equal";
    chords: number;
    clicks: number;
    columns: number;
    counts: boolean;
    effective_clicks: number;
    efficiency: number | null;
    fairness: "forced" | "kind" | "local" | "none" | "safest" | "strict";
    first_click: "any" | "open" | "safe";
    forced_guesses: number | null;
    given: boolean | null;
    guesses: number | null;
    help_used: SomeHelpJson | null;
    human_zini: number;
    id: number;
    imported: boolean;
    islands: number;
    left_clicks: number;
    level: string;
    luck: number | null;
    mines: number;
    mouse_path?: number[][];
    moves: number;
    ms: number | null;
    needless_guesses: number | null;
    no_guess: boolean;
    openings: number;
    played: string | null;
    player: string | null;
    record?: unknown;
    redraws: number;
    revived: boolean;
    right_clicks: number;
    rows: number;
    schema: "mineproof/kept/1";
    seconds: number | null;
    seed: number | null;
    solved_bbbv: number;
    source: string;
    topology: string;
    undos: number;
    with_help: boolean | null;
    won: boolean;
    zini: number;
  }

  /** Review of a game of the history. */
  interface KeptReviewJson {
    accuracy: number | null;
    bbbv: number | null;
    bbbv_per_second: number | null;
    clicks: number;
    clicks_by_button: number[] | null;
    clicks_per_second: number | null;
    columns: number;
    correctness: number | null;
    effective_by_button: number[] | null;
    effective_clicks: number | null;
    effective_clicks_per_second: number | null;
    efficiency: number | null;
    estimated_seconds: number | null;
    flags: number | null;
    game: KeptGameJson;
    guesses: GuessReviewJson[];
    help_text: string;
    help_used: HelpUsedJson | null;
    human_zini: number | null;
    islands: number | null;
    luck: number;
    luck_fraction: string;
    moves: number;
    notes: string[];
    numbers: number[] | null;
    openings: number | null;
    qg: number | null;
    redraws: number;
    rows: number;
    rqp: number | null;
    schema: "mineproof/review/1";
    seconds: number;
    solved_bbbv: number | null;
    status: "lost" | "new" | "running" | "won";
    stnb: number | null;
    throughput: number | null;
    topology: string;
    total_mines: number | null;
    with_help: boolean | null;
    zini: number | null;
    zini_efficiency: number | null;
  }

  /** A game of the history, move by move, with the path of the mouse if it is known. */
  interface KeptTimelineJson {
    cells: string[];
    columns: number;
    mines: [number, number][];
    mouse_path: [number, number, number][] | null;
    rows: number;
    schema: "mineproof/timeline/1";
    status: "lost" | "new" | "running" | "won";
    steps: TimelineStepJson[];
    topology: string;
    total_mines: number | null;
  }

  /** Where the mines are; empty ``absent`` and a false ``no_guess`` are left out. */
  interface LayoutJson {
    absent?: [number, number][];
    columns: number;
    mines: [number, number][];
    no_guess?: true;
    rows: number;
    schema: "mineproof/layout/1";
    start: [number, number] | null;
    topology: string;
  }

  /** What to learn from a game. */
  interface LessonJson {
    flags_placed: number;
    flags_unused: number;
    guesses: GuessLessonJson[];
    long_seconds: number | null;
    long_waits: number | null;
    lost_by_technique: LostTimeJson[];
    lost_seconds: number;
    name: string;
    pauses: PauseJson[];
    player: string | null;
    review: ReviewJson;
    schema: "mineproof/lesson/1";
    sentences: SentenceJson[];
    usual_seconds: number | null;
  }

  interface LessonQuery {
    to?: "html" | "json" | undefined;
    language?: string | null | undefined;
  }

  /** Win rate, streaks and best games of a level. */
  interface LevelSummaryJson {
    bbbv_per_second: number | null;
    best_with_help: KeptGameJson | null;
    best_without_help: KeptGameJson | null;
    current_streak: number;
    fairness: "forced" | "kind" | "local" | "none" | "safest" | "strict";
    games: number;
    interval: [number, number];
    level: string;
    longest_streak: number;
    no_guess: boolean;
    topology: string;
    win_rate: number | null;
    wins: number;
  }

  /** A game of a variant on the server, with the name of the variant and a sentence about it. */
  interface LiveVariantJson {
    cell_max: number;
    cells: string[][];
    columns: number;
    exploded: [number, number][];
    id: string;
    labels: string[][];
    mines?: [number, number, number][];
    mines_left: number;
    moves: number;
    rows: number;
    rules: string;
    schema: "mineproof/variant-view/1";
    seconds: number;
    sentence: string;
    status: "lost" | "new" | "running" | "won";
    title: string;
    topology: string;
    total_mines: number;
  }

  /** A game on the server; with the help used after its end, and ``start`` before the first click of a fixed board. */
  interface LiveViewJson {
    cells: string[];
    columns: number;
    exploded: [number, number][];
    help_text?: string;
    help_used?: HelpUsedJson;
    id: string;
    mines?: [number, number][];
    mines_left: number;
    moves: number;
    paused: boolean;
    redraws: number;
    rows: number;
    schema: "mineproof/view/1";
    seconds: number;
    start?: [number, number];
    status: "lost" | "new" | "running" | "won";
    topology: string;
    total_mines: number;
    with_help?: boolean;
  }

  /** Pauses in which one technique would have found a safe cell. */
  interface LostTimeJson {
    pauses: number;
    seconds: number;
    technique: string;
  }

  /** A mark, and the chance that it is the right one. */
  interface MarkChanceJson {
    chance: number;
    mark: string;
  }

  /** The reduced matrix of a position: a column per cell; entries are integers, or fractions as text. */
  interface MatrixJson {
    columns: [number, number][];
    rows: ((number | string)[])[];
    schema: "mineproof/matrix/1";
  }

  /** Measures of a layout; ``numbers`` counts the safe cells by their numbers. */
  interface MeasuresJson {
    bbbv: number;
    human_zini: number | null;
    islands: number;
    numbers: number[];
    openings: number;
    zini: number | null;
  }

  /** How often a technique was missed. */
  interface MissedJson {
    guesses: number;
    pauses: number;
    seconds: number;
    technique: string;
  }

  interface MoveRequest {
    kind: "chord" | "flag" | "open" | "question" | "undo";
    cell?: [number, number] | null | undefined;
    moves?: number | null | undefined;
    retry?: boolean | undefined;
  }

  /** A game after a move; ``continues`` is the finished game that an undo at its end continues. */
  interface MovedJson {
    cells: string[];
    columns: number;
    continues?: string;
    exploded: [number, number][];
    help_text?: string;
    help_used?: HelpUsedJson;
    id: string;
    mines?: [number, number][];
    mines_left: number;
    moves: number;
    outcome: OutcomeJson;
    paused: boolean;
    redraws: number;
    rows: number;
    schema: "mineproof/view/1";
    seconds: number;
    start?: [number, number];
    status: "lost" | "new" | "running" | "won";
    topology: string;
    total_mines: number;
    with_help?: boolean;
  }

  /** A game of a variant after a move. */
  interface MovedVariantJson {
    cell_max: number;
    cells: string[][];
    columns: number;
    exploded: [number, number][];
    id: string;
    labels: string[][];
    mines?: [number, number, number][];
    mines_left: number;
    moves: number;
    outcome: VariantOutcomeJson;
    rows: number;
    rules: string;
    schema: "mineproof/variant-view/1";
    seconds: number;
    sentence: string;
    status: "lost" | "new" | "running" | "won";
    title: string;
    topology: string;
    total_mines: number;
  }

  interface NameRequest {
    name: string | null;
  }

  interface NewGameRequest {
    level?: string | null | undefined;
    rows?: number | null | undefined;
    columns?: number | null | undefined;
    mines?: number | null | undefined;
    layout?: string | null | undefined;
    position?: string | null | undefined;
    first_click?: "any" | "open" | "safe" | null | undefined;
    fairness?: "forced" | "kind" | "local" | "none" | "safest" | "strict" | undefined;
    chord_rule?: "at-least" | "equal" | undefined;
    no_guess?: boolean | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    seed?: number | null | undefined;
  }

  interface NewVariantGameRequest {
    rules: string;
    rows?: number | null | undefined;
    columns?: number | null | undefined;
    mines?: number | null | undefined;
    seed?: number | null | undefined;
    first_click?: "any" | "open" | "safe" | undefined;
  }

  /** An open number that an argument uses. */
  interface NumberAtJson {
    cell: [number, number];
    need: number | null;
    value: number;
  }

  /** What a move did: opened cells with their numbers, exploded cells, and whether mines were moved. */
  interface OutcomeJson {
    exploded: [number, number][];
    opened: [number, number, number][];
    redrawn: boolean;
  }

  /** A number that a cell can show, and how safe the next cell is then. */
  interface OutlookJson {
    chance: number;
    number: number;
    safe: number;
    safety: number;
  }

  /** A pause although a safe cell was in reach. */
  interface PauseJson {
    hint: HintJson;
    index: number;
    lay: number;
    lost: number;
    seconds: number;
    technique: string;
    time: number;
  }

  /** Whether the server has one player or many; with whether the request names one, or with a new key. */
  interface PlayerJson {
    key?: string | null;
    known?: boolean;
    players: "many" | "one";
    schema: "mineproof/player/1";
  }

  /** A number that a covered cell can show; ``chance`` is null if it is unknown. */
  interface PossibleNumberJson {
    chance: number | null;
    number: number;
  }

  /** What games have in common. */
  interface ProfileJson {
    clicks: number;
    effective_clicks: number;
    forced: number;
    games: number;
    guesses: number;
    lost_seconds: number;
    missed: MissedJson[];
    names: string[];
    needless: number;
    schema: "mineproof/profile/1";
    sentences: SentenceJson[];
    unread: UnreadGameJson[];
    was_worse: number;
    won: number;
  }

  interface ProfileQuery {
    level?: string | null | undefined;
    help?: boolean | null | undefined;
    since?: string | null | undefined;
    until?: string | null | undefined;
    origin?: "all" | "imported" | "own" | null | undefined;
    won?: boolean | null | undefined;
    order?: "3bv" | "clicks" | "date" | "guesses" | "luck" | "speed" | "time" | undefined;
    limit?: number | undefined;
    to?: "html" | "json" | undefined;
    language?: string | null | undefined;
  }

  /** A step of a certificate, with the cells that it opens. */
  interface ProofStepJson {
    argument?: ClauseJson;
    because: [number, number][];
    mines: [number, number][];
    opened: [number, number][];
    pattern?: string | null;
    safe: [number, number][];
    technique: string;
    text: string;
    uses_total: boolean;
  }

  interface PuzzleAnswerRequest {
    board: string | unknown;
    technique: "bounds" | "contradiction" | "elimination" | "exhaustive" | "guess" | "partition" | "single-flag" | "single-open" | "total";
    cell: [number, number];
    level?: string | null | undefined;
    seed?: number | null | undefined;
    date?: string | null | undefined;
    counted?: boolean | undefined;
    run?: number | null | undefined;
    retry?: boolean | undefined;
    ms?: number | null | undefined;
    budget?: number | undefined;
  }

  /** A position that needs a technique; what reveals the answer is null if it was not requested. */
  interface PuzzleJson {
    best: BestMoveJson | null;
    board: BoardJson;
    date: string | null;
    deduction: DeductionJson | null;
    games: number;
    kind: "flag" | "guess" | "open";
    level: string;
    positions: number;
    schema: "mineproof/puzzle/1";
    seed: number | null;
    solution: [number, number][] | null;
    task: string;
    technique: string;
  }

  interface PuzzleRequest {
    technique?: "bounds" | "contradiction" | "elimination" | "exhaustive" | "guess" | "partition" | "single-flag" | "single-open" | "total" | null | undefined;
    level?: string | null | undefined;
    seed?: number | null | undefined;
    daily?: boolean | undefined;
    date?: string | null | undefined;
    run?: number | null | undefined;
    solution?: boolean | undefined;
    budget?: number | undefined;
  }

  /** A cell that may be opened, with the cells that are like it because the position is symmetric. */
  interface RankedOptionJson {
    alike: [number, number][];
    cell: [number, number];
    exact: boolean;
    fate: number | null;
    mine_probability: number;
    outlook: OutlookJson[];
    progress: number | null;
    score: number | null;
    standard_error: number | null;
    win_fraction: string | null;
    win_probability: number | null;
  }

  interface ReadQuery {
    confirm?: string | undefined;
    size?: string | undefined;
  }

  /** A board in a screenshot. */
  interface ReadingJson {
    box: [number, number, number, number];
    cells: string[];
    certainty: number;
    columns: number;
    confidence: number[][];
    counter: number | null;
    doubts: DoubtJson[];
    notes: string[];
    rows: number;
    schema: "mineproof/reading/1";
    size_doubts: SizeDoubtJson[];
    sure: boolean;
    total_mines: number | null;
    wrong_flags: [number, number][];
  }

  /** A saved game. Its mines are masked until it is over. */
  interface RecordJson {
    schema: "mineproof/game/1";
    rows: number;
    columns: number;
    total_mines: number;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles";
    absent?: [number, number][];
    start?: [number, number] | null;
    no_guess?: boolean;
    clicks?: [number, number, number];
    first_click: "any" | "open" | "safe";
    fairness: "forced" | "kind" | "local" | "none" | "safest" | "strict";
    chord_rule: "at-least" | "equal";
    seed: number;
    status: "lost" | "new" | "running" | "won";
    ms: number;
    sealed: boolean;
    layout: string;
    moves: ((string | number)[])[];
    redraws: [number, string][];
    given?: string[];
    help?: HelpUsed;
    fixed?: boolean;
  }

  /** Help used in a finished game, personal record and streak of its level. */
  interface ResultJson {
    best_before: number | null;
    counts: boolean;
    help_text: string;
    help_used: HelpUsedJson;
    is_best: boolean;
    level: string;
    longest_streak: number;
    schema: "mineproof/result/1";
    seconds: number;
    status: "lost" | "new" | "running" | "won";
    streak: number;
    with_help: boolean;
  }

  /** Review of a game. */
  interface ReviewJson {
    accuracy: number | null;
    bbbv: number | null;
    bbbv_per_second: number | null;
    clicks: number;
    clicks_by_button: number[] | null;
    clicks_per_second: number | null;
    columns: number;
    correctness: number | null;
    effective_by_button: number[] | null;
    effective_clicks: number | null;
    effective_clicks_per_second: number | null;
    efficiency: number | null;
    estimated_seconds: number | null;
    flags: number | null;
    guesses: GuessReviewJson[];
    help_text: string;
    help_used: HelpUsedJson | null;
    human_zini: number | null;
    islands: number | null;
    luck: number;
    luck_fraction: string;
    moves: number;
    notes: string[];
    numbers: number[] | null;
    openings: number | null;
    qg: number | null;
    redraws: number;
    rows: number;
    rqp: number | null;
    schema: "mineproof/review/1";
    seconds: number;
    solved_bbbv: number | null;
    status: "lost" | "new" | "running" | "won";
    stnb: number | null;
    throughput: number | null;
    topology: string;
    total_mines: number | null;
    with_help: boolean | null;
    zini: number | null;
    zini_efficiency: number | null;
  }

  /** A cell that a thought compares. */
  interface RivalJson {
    cell: [number, number];
    dropped: boolean;
    layouts: number;
    played_by: string;
    standard_error: number;
    win_probability: number;
  }

  interface RunRequest {
    mode: "storm" | "streak";
    level?: string | undefined;
  }

  /** One point of advice. */
  interface SentenceJson {
    command: string | null;
    technique: string | null;
    text: string;
    topic: "choices" | "clicks" | "end" | "guesses" | "time";
  }

  interface SimulateRequest {
    level?: string | null | undefined;
    rows?: number | null | undefined;
    columns?: number | null | undefined;
    mines?: number | null | undefined;
    games?: number | undefined;
    strategy?: string | undefined;
    against?: string | null | undefined;
    first_click?: "any" | "open" | "safe" | undefined;
    start?: [number, number] | "random" | null | undefined;
    seed?: number | null | undefined;
    first_game?: number | undefined;
    resume?: unknown[] | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | undefined;
  }

  /** Games of one strategy; ``won`` and ``tally`` are in files and in events of the server. */
  interface SimulationJson {
    absent?: [number, number][];
    asked: number;
    columns: number;
    cpu_seconds: number | null;
    fairness?: "forced" | "kind" | "local" | "none" | "safest" | "strict";
    fallbacks: number;
    first_click: "any" | "open" | "safe";
    first_game: number;
    forced_guesses_per_win: number | null;
    forfeits?: ForfeitsJson;
    games: number;
    guesses_per_game: number | null;
    guesses_per_win: number | null;
    interval: [number, number];
    mines: number;
    moves_per_win: number | null;
    needless_guesses_per_win: number | null;
    rows: number;
    schema: "mineproof/simulation/1";
    seconds: number | null;
    seed: number;
    start: [number, number] | "random";
    strategy: string;
    survived_odds: number | null;
    tally?: Tally;
    topology: string;
    weighed: boolean;
    win_rate: number | null;
    wins: number;
    won?: string;
  }

  /** A row or column at the border that may not belong to the board (-1), or be missing (1). */
  interface SizeDoubtJson {
    chance: number;
    change: number;
    side: string;
  }

  /** The certain cells of a position, with steps; answers have the ``board`` too. */
  interface SolutionJson {
    board?: BoardJson;
    mines: [number, number][];
    safe: [number, number][];
    schema: "mineproof/solution/1";
    steps: DeductionJson[];
  }

  interface SolveRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    flags?: "ignore" | "trust" | undefined;
    technique?: "bounds" | "contradiction" | "elimination" | "exhaustive" | "partition" | "single-flag" | "single-open" | "total" | null | undefined;
    show?: "bounds" | "matrix" | null | undefined;
    budget?: number | undefined;
    states?: number | undefined;
  }

  /** Counts of help, as a program knows them. */
  interface SomeHelpJson {
    auto_moves?: number;
    best_moves?: number;
    hints?: number[];
    odds_moves?: number;
    pauses?: number;
    repeats?: number;
    undos?: number;
  }

  /** A clue or rule that an argument on a board of a variant quotes. */
  interface SourceJson {
    cell: [number, number] | null;
    clue: string;
    rule: string;
  }

  /** The rating of a player. */
  interface StandingJson {
    answers: number;
    best_streak: number;
    daily_streak: number;
    deviation: number;
    provisional: boolean;
    rating: number;
    right: number;
    schema: "mineproof/standing/1";
    streak: number;
    volatility: number;
  }

  /** Where a layout needs no guess to begin. */
  interface StartsJson {
    safe_cells: number;
    schema: "mineproof/starts/1";
    starts: [number, number][];
  }

  /** Every strategy that `simulate` accepts. */
  interface StrategiesJson {
    schema: "mineproof/strategies/1";
    strategies: StrategyJson[];
  }

  /** A strategy that `simulate` accepts. */
  interface StrategyJson {
    name: string;
    package: string | null;
    text: string;
  }

  /** The levels of a history. */
  interface SummaryJson {
    levels: LevelSummaryJson[];
    schema: "mineproof/summary/1";
  }

  /** Sums over games. Moves, guesses, needless guesses and odds are summed over won games only. */
  interface Tally {
    wins?: number;
    moves?: number;
    guesses?: number;
    needless?: number;
    all_guesses?: number;
    survived?: number;
    fallbacks?: number;
  }

  /** How hard a technique is, and the right answers of the player. */
  interface TechniqueRatingJson {
    deviation: number;
    label: string;
    name: string;
    rating: number;
    right: number;
  }

  /** Results by one technique. */
  interface TechniqueResultsJson {
    answered: number;
    label: string;
    median_ms: number | null;
    name: string;
    provisional: boolean;
    rating: number | null;
    right: number;
  }

  interface ThinkRequest {
    board?: string | undefined;
    data?: string | null | undefined;
    mines?: number | null | undefined;
    topology?: "cross" | "cube" | "cylinder" | "grid" | "hex" | "knight" | "moebius" | "octagons" | "orthogonal" | "radius2" | "sphere" | "torus" | "triangles" | null | undefined;
    from?: string | null | undefined;
    size?: string | null | undefined;
    flags?: "ignore" | "trust" | undefined;
    seconds: number;
    budget?: number | undefined;
    states?: number | undefined;
  }

  /** How far a thought is; the best rival is first. */
  interface ThoughtJson {
    clear: boolean;
    rivals: RivalJson[];
    seconds: number;
  }

  /** A game, move by move. */
  interface TimelineJson {
    cells: string[];
    columns: number;
    mines: [number, number][];
    rows: number;
    schema: "mineproof/timeline/1";
    status: "lost" | "new" | "running" | "won";
    steps: TimelineStepJson[];
    topology: string;
    total_mines: number | null;
  }

  /** A move of a game: changed cells with their signs, and the chance of a mine among the cells of a reveal. */
  interface TimelineStepJson {
    cell: [number, number] | null;
    changes: [number, number, string][];
    exploded: [number, number][];
    kind: "chord" | "flag" | "open" | "question" | "undo";
    move: number;
    odds: number | null;
    redrawn: boolean;
    survived: number;
    time: number;
  }

  /** The rating of a player, and how hard each technique is. */
  interface TrainingJson {
    answers: number;
    best_streak: number;
    daily_streak: number;
    deviation: number;
    provisional: boolean;
    rating: number;
    right: number;
    schema: "mineproof/standing/1";
    streak: number;
    techniques: TechniqueRatingJson[];
    volatility: number;
  }

  /** A game without a lesson, and why. */
  interface UnreadGameJson {
    message: string;
    name: string;
  }

  /** The exact odds of a position of a variant. */
  interface VariantAnalysisJson {
    board?: VariantBoardJson;
    columns: number;
    layouts: string;
    mine_fraction?: ((number | string)[])[];
    mine_probability: ((number | null)[])[];
    mines: [number, number][];
    rows: number;
    safe: [number, number][];
    schema: "mineproof/variant-analysis/1";
    total_mines: number | null;
  }

  /** The best move on a board of a variant. */
  interface VariantBestJson {
    best: [number, number] | null;
    board?: VariantBoardJson;
    exact: boolean;
    mine_probability: number | null;
    moves: VariantOptionJson[];
    schema: "mineproof/variant-best/1";
    text: string;
    win_probability: number | null;
  }

  /** A position of a variant; ``cells`` has one string per row. */
  interface VariantBoardJson {
    cells: string[];
    columns: number;
    rows: number;
    rules: string;
    schema: "mineproof/variant-board/1";
    topology: string;
    total_mines: number | null;
  }

  /** One clause of an argument on a board of a variant. */
  interface VariantClauseJson {
    amounts: number[];
    cells: [number, number][];
    count: number | null;
    kind: string;
    parts: VariantClauseJson[];
    sources: SourceJson[];
  }

  /** A hint; keys that the level does not show are null. */
  interface VariantHintJson {
    argument: VariantClauseJson | null;
    because: [number, number][] | null;
    board?: VariantBoardJson;
    cell: [number, number] | null;
    kind: string;
    level: number;
    mine_fraction: string | null;
    mine_probability: number | null;
    mines: [number, number][] | null;
    rules: string[] | null;
    safe: [number, number][] | null;
    schema: "mineproof/variant-hint/1";
    technique: string | null;
    text: string;
    uses_total: boolean | null;
  }

  /** A variant of the gallery, in the language of the request. */
  interface VariantJson {
    around?: [number, number][];
    centre?: [number, number];
    columns: number;
    example: string[][];
    mines: number;
    rows: number;
    rules: string;
    sentence: string;
    title: string;
  }

  interface VariantMoveRequest {
    kind: "chord" | "flag" | "open" | "undo";
    cell?: [number, number] | null | undefined;
    moves?: number | null | undefined;
  }

  /** A move on a board of a variant. */
  interface VariantOptionJson {
    cell: [number, number];
    mine_fraction: string;
    mine_probability: number;
    win_fraction: string | null;
    win_probability: number | null;
  }

  /** What a move did: opened cells with their clues, and exploded cells. */
  interface VariantOutcomeJson {
    exploded: [number, number][];
    opened: [number, number, string][];
  }

  /** The gallery of variants. */
  interface VariantsJson {
    schema: "mineproof/variants/1";
    variants: VariantJson[];
  }

  /** The chances of one cell. */
  interface WinChanceJson {
    exact: boolean;
    mine_probability: number;
    standard_error: number | null;
    win_fraction: string | null;
    win_probability: number | null;
  }
}
