// Elements from data: whatever a model wrote becomes text or one of these elements, never markup.

const MATHML = "http://www.w3.org/1998/Math/MathML";
const TAGS = new Set(
  ("math mfrac mi mn mo mover mpadded mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable " +
    "mtd mtext mtr munder munderover").split(" "),
);
const ATTRIBUTES = new Set(
  ("accent accentunder class display displaystyle fence form linethickness mathvariant " +
    "scriptlevel separator stretchy width").split(" "),
);

/** An element with a class, and children that are nodes or texts. */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** MathML as the service sends it: a tag, attributes and children, each a text or such an array. */
export function formula([tag, attributes, children]) {
  const element = document.createElementNS(MATHML, TAGS.has(tag) ? tag : "mrow");
  for (const [name, value] of Object.entries(attributes)) {
    if (ATTRIBUTES.has(name)) element.setAttribute(name, value);
  }
  for (const child of children) {
    element.append(typeof child === "string" ? child : formula(child));
  }
  return element;
}

/** A text in pieces, its formulas rendered; a block has its line to itself without line breaks. */
export function pieces(parts) {
  const isBlock = (part) => part?.mathml?.[1].display === "block";
  return parts.map(({ text, mathml }, index) => {
    if (mathml) return formula(mathml);
    const left = isBlock(parts[index - 1]) ? text.replace(/^\n+/, "") : text;
    return isBlock(parts[index + 1]) ? left.replace(/\n+$/, "") : left;
  });
}
