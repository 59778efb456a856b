// Asking the service: with its token, and again where it was too busy.

const TOKEN = "verifiers-math-token";
const MOST_TRIES = 20;

/** A request that was not carried out: the reason, and the status of the answer (0 for none). */
export class Refused extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** The answer to a POST; throws Refused with the reason, also where the service is not there. */
export async function ask(path, body) {
  for (let tries = 1; ; tries++) {
    const answer = await send(path, body);
    if (answer.ok) return answer.json();
    if (answer.status === 429 && tries < MOST_TRIES) {
      await wait(Number(answer.headers.get("retry-after")) || 1);
      continue;
    }
    throw new Refused(await reason(answer), answer.status);
  }
}

async function send(path, body) {
  const headers = { "content-type": "application/json" };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.authorization = `Bearer ${token}`;
  try {
    return await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  } catch {
    throw new Refused("The service cannot be reached.");
  }
}

async function reason(answer) {
  if (answer.status === 401) askForToken();
  try {
    const { error } = await answer.json();
    return error.path ? `${error.path}: ${error.message}` : error.message;
  } catch {
    return `The service answered ${answer.status}.`;
  }
}

function askForToken() {
  const form = document.getElementById("token-form");
  form.hidden = false;
  form.elements.token.focus();
  form.onsubmit = (event) => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, form.elements.token.value);
    form.hidden = true;
    document.getElementById("judge").focus();
  };
}
