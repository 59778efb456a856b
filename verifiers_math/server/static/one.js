// One answer: the form, its state in the address, and the story of its verdict.

import { Refused, ask } from "./api.js";
import { formula, make, pieces } from "./math.js";
import { FIELDS, address, verdictClass, words } from "./pair.js";

const at = (id) => document.getElementById(id);
function stateOfForm() {
  return Object.fromEntries(FIELDS.map((name) => [name, at(name).value]));
}

function fillForm() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (!state.has("gold")) return false;
  for (const name of FIELDS) at(name).value = state.get(name) ?? "";
  at("options").open = ["prompt", "strict", "policy"].some((name) => state.get(name));
  return true;
}

function request({ gold, response, prompt, strict, policy }) {
  const body = { gold, response, strict: strict === "1" || strict };
  if (!body.strict) delete body.strict;
  if (prompt) body.prompt = prompt;
  if (policy) body.policy = policy;
  return body;
}

async function judge() {
  const state = stateOfForm();
  const button = at("judge");
  button.disabled = true;
  at("problem").hidden = true;
  try {
    show(await ask("/api/v1/explain", request(state)));
    at("permalink").href = address(state);
    at("permalink").hidden = false;
    history.replaceState(null, "", address(state));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    at("problem").textContent = error.message;
    at("problem").hidden = false;
    at("result").hidden = true;
  } finally {
    button.disabled = false;
  }
}

function show(story) {
  const { verdict, shown } = story;
  const banner = at("verdict");
  banner.className = `verdict ${verdictClass(verdict.status)}`;
  const rule = verdict.rule ? ` (by the lenient rule: ${verdict.rule})` : "";
  banner.replaceChildren(
    make("strong", "", words(verdict.status)),
    ` ${sentence(verdict.detail)}${rule}`,
  );
  at("gold-read").replaceChildren(...side(story.gold, shown.gold_read, shown.gold));
  at("answer-read").replaceChildren(
    ...(story.answer
      ? side(story.answer, shown.answer_read, null, story.place)
      : [make("p", "", sentence(story.place))]),
  );
  at("stages").replaceChildren(...story.steps.map(row));
  at("shown").replaceChildren(...pieces(shown.response));
  at("result").hidden = false;
}

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "");

function side(reading, read, given, place) {
  const rendered = read ? formula(read) : null;
  const shown = rendered ? [rendered] : given ? pieces(given) : [make("code", "", reading.text)];
  const facts = [
    ["Stood", place],
    ["Text", make("code", "", short(reading.text))],
    ["Is", reading.kind],
    ["Exact value", reading.value],
    ["Not read", reading.unreadable],
  ];
  const list = make("dl", "");
  for (const [name, fact] of facts) {
    if (fact) list.append(make("dt", "", name), make("dd", "", fact));
  }
  return [make("div", "formula", ...shown), list];
}

const short = (text) => (text.length > 400 ? `${text.slice(0, 400)} …` : text);

function row(step) {
  return make(
    "tr",
    step.status ? "decided" : step.outcome === "not_asked" ? "not-asked" : "",
    make("td", "", words(step.stage)),
    make("td", "", step.outcome === "failed" ? words(step.status) : words(step.outcome)),
    make("td", "why", step.detail + (step.rule ? ` (${step.rule})` : "")),
    make("td", "number", step.outcome === "not_asked" ? "" : duration(step.seconds)),
  );
}

function duration(seconds) {
  if (seconds < 0.001) return `${(1e6 * seconds).toFixed(0)} µs`;
  return seconds < 1 ? `${(1e3 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

at("one").addEventListener("submit", (event) => {
  event.preventDefault();
  judge();
});
at("one").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("one").requestSubmit();
});
addEventListener("hashchange", async () => {
  if (!fillForm()) return;
  await judge();
  at(at("result").hidden ? "gold" : "verdict").focus(); // whoever came from the table is here now
});
if (fillForm()) judge();
