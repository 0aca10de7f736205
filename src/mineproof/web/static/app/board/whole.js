/** A board to look at: nothing on it has to be hit, so all of it is visible, however small its cells are. */
import { Board } from "./board.js";

export class WholeBoard extends Board {
  /** @override */
  fit() {
    super.fit(true);
  }
}
