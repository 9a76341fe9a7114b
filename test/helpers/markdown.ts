import { readFileSync } from 'node:fs';

/** A document of the project; tests run in its folder. */
export function readDocument(path: string): string {
  return readFileSync(path, 'utf8');
}

/**
 * What stands between `<!-- name… -->` and `<!-- /name -->`.
 * @throws when the document lacks one of the two, so that a comparison never passes for want of a text.
 */
export function marked(document: string, name: string): string {
  const [, text] = new RegExp(`<!-- ${name}\\b[^>]*-->(.*?)<!-- /${name} -->`, 's').exec(document) ?? [];
  if (text === undefined) throw new Error(`the document has nothing marked as "${name}"`);
  return text;
}

/** The rows of all tables in a text, without their heads, each as its cells. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const rules = lines.map((line) => /^\|[\s:|-]+\|$/.test(line));
  return lines
    .filter((_, index) => rules[index] !== true && rules[index + 1] !== true)
    .map((line) => line.slice(1, line.lastIndexOf('|')).split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** The code blocks of one language. */
export function codeBlocks(document: string, language: string): string[] {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\``, 'gms');
  return [...document.matchAll(fence)].map(([, , code = '']) => code);
}

/** Where links lead, and images. */
export function linkTargets(document: string): string[] {
  const prose = document.replace(/^```.*?^```/gms, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** `#fragment` of every heading, as code hosts make them. */
export function headingAnchors(document: string): string[] {
  const prose = document.replace(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
