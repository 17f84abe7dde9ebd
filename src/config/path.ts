import { UsageFailure } from "../errors.js";

/**
 * Reads a path as people write it: `agents.list[0].tools`, `mcp.servers["my server"].command`.
 * @throws UsageFailure naming the character that does not fit
 */
export function parseConfigPath(text: string): (string | number)[] {
  const keys: (string | number)[] = [];
  const part = /\[(?:(\d+)|("(?:[^"\\]|\\.)*")|('[^']*'))\]|([^.[\]"'\s]+)/y;
  for (let at = 0; at < text.length; ) {
    if (keys.length > 0 && text[at] === ".") at += 1;
    else if (keys.length > 0 && text[at] !== "[") throw malformed(text, at);
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) throw malformed(text, at);
    const [whole, index, double, single, word] = match;
    if (index !== undefined) keys.push(Number(index));
    else if (double !== undefined) keys.push(JSON.parse(double) as string);
    else keys.push(single?.slice(1, -1) ?? (word as string));
    at += whole.length;
  }
  if (keys.length === 0) throw malformed(text, 0);
  return keys;
}

function malformed(text: string, at: number): UsageFailure {
  const where = at < text.length ? ` at character ${at + 1} (\`${text[at]}\`)` : " at its end";
  return new UsageFailure(
    `\`${text}\` is no configuration path${where}`,
    'Write keys with dots, list places and odd keys in brackets: agents.list[0].id, mcp.servers["my server"].url',
  );
}
