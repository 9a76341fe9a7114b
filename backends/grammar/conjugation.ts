export const verbs = [
  'work',
  'play',
  'walk',
  'talk',
  'listen',
  'watch',
  'study',
  'finish',
  'start',
  'look',
  'want',
  'like',
  'be',
  'have',
  'do',
  'go',
  'come',
  'see',
  'eat',
  'write',
] as const;
export type Verb = (typeof verbs)[number];

export const tenses = [
  'infinitive',
  'present simple',
  'past simple',
  'past participle',
  'simple future',
] as const;
export type Tense = (typeof tenses)[number];

export const persons = ['1st singular', '2nd singular', '3rd singular'] as const;
export type Person = (typeof persons)[number];

/** Past simple and past participle of the verbs that do not form both with -ed. */
const irregular: { readonly [Irregular in Verb]?: { readonly past: string; readonly participle: string } } = {
  have: { past: 'had', participle: 'had' },
  do: { past: 'did', participle: 'done' },
  go: { past: 'went', participle: 'gone' },
  come: { past: 'came', participle: 'come' },
  see: { past: 'saw', participle: 'seen' },
  eat: { past: 'ate', participle: 'eaten' },
  write: { past: 'wrote', participle: 'written' },
};

/** The only verb whose forms differ by more than the third person's -s. */
const be = {
  present: { '1st singular': 'am', '2nd singular': 'are', '3rd singular': 'is' },
  past: { '1st singular': 'was', '2nd singular': 'were', '3rd singular': 'was' },
  participle: 'been',
} as const;

/** The form of a verb: `eat`, past simple, 3rd singular → `ate`. The infinitive is written with *to*. */
export function conjugate(verb: Verb, tense: Tense, person: Person): string {
  switch (tense) {
    case 'infinitive':
      return `to ${verb}`;
    case 'present simple':
      return presentSimple(verb, person);
    case 'past simple':
      return verb === 'be' ? be.past[person] : (irregular[verb]?.past ?? withEd(verb));
    case 'past participle':
      return verb === 'be' ? be.participle : (irregular[verb]?.participle ?? withEd(verb));
    case 'simple future':
      return `will ${verb}`;
  }
}

function presentSimple(verb: Verb, person: Person): string {
  if (verb === 'be') return be.present[person];
  if (person !== '3rd singular') return verb;
  return verb === 'have' ? 'has' : withS(verb);
}

/** *-es* after a hissing sound or *o*; *y* after a consonant becomes *ie*. */
function withS(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return verb.replace(/(?<![aeiou])y$/, 'ie').concat('s');
}

/** *y* after a consonant becomes *i*; a silent *e* takes the place of the one in *-ed*. */
function withEd(verb: string): string {
  return verb
    .replace(/(?<![aeiou])y$/, 'i')
    .replace(/e$/, '')
    .concat('ed');
}
