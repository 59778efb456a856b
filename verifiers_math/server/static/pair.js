// What both halves of the page know of a pair and its verdict.

export const FIELDS = ["gold", "response", "prompt", "strict", "policy"];

const UNSCORED = new Set(["gold_unreadable", "limit", "timeout", "error", "not judged"]);

/** Right, wrong, or a failure to judge, by a verdict's status. */
export function verdictClass(status) {
  if (status === "correct") return "right";
  return UNSCORED.has(status) ? "unscored" : "wrong";
}

/** The address of a pair on this page. */
export function address(state) {
  const given = FIELDS.filter((name) => state[name]).map((name) => [name, state[name]]);
  return `#${new URLSearchParams(given)}`;
}

/** A name of the interface as a person reads it. */
export const words = (name) => name.replaceAll("_", " ");
