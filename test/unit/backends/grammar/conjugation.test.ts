import { describe, expect, it } from 'vitest';
import { conjugate, persons, tenses, verbs } from '../../../../backends/grammar/conjugation.js';

/** Written by hand: infinitive; I, you, he in the present; I, you, he in the past; participle; future. */
const table = [
  'to work | work work works | worked worked worked | worked | will work',
  'to play | play play plays | played played played | played | will play',
  'to walk | walk walk walks | walked walked walked | walked | will walk',
  'to talk | talk talk talks | talked talked talked | talked | will talk',
  'to listen | listen listen listens | listened listened listened | listened | will listen',
  'to watch | watch watch watches | watched watched watched | watched | will watch',
  'to study | study study studies | studied studied studied | studied | will study',
  'to finish | finish finish finishes | finished finished finished | finished | will finish',
  'to start | start start starts | started started started | started | will start',
  'to look | look look looks | looked looked looked | looked | will look',
  'to want | want want wants | wanted wanted wanted | wanted | will want',
  'to like | like like likes | liked liked liked | liked | will like',
  'to be | am are is | was were was | been | will be',
  'to have | have have has | had had had | had | will have',
  'to do | do do does | did did did | done | will do',
  'to go | go go goes | went went went | gone | will go',
  'to come | come come comes | came came came | come | will come',
  'to see | see see sees | saw saw saw | seen | will see',
  'to eat | eat eat eats | ate ate ate | eaten | will eat',
  'to write | write write writes | wrote wrote wrote | written | will write',
];

describe('conjugate', () => {
  it.each(table)('forms %s', (row) => {
    const [infinitive = '', present = '', past = '', participle = '', future = ''] = row.split(' | ');
    const verb = verbs.find((candidate) => infinitive === `to ${candidate}`);
    if (verb === undefined) throw new Error(`the table has a verb that the tool lacks: ${infinitive}`);

    const forms = tenses.map((tense) => persons.map((person) => conjugate(verb, tense, person)));

    const same = (form: string) => [form, form, form];
    expect(forms).toEqual([
      same(infinitive),
      present.split(' '),
      past.split(' '),
      same(participle),
      same(future),
    ]);
  });

  it('knows the 20 verbs of the table and no other, in 5 tenses and 3 persons', () => {
    expect(table.map((row) => row.split(' ')[1])).toEqual([...verbs]);
    expect(tenses).toEqual([
      'infinitive',
      'present simple',
      'past simple',
      'past participle',
      'simple future',
    ]);
    expect(persons).toEqual(['1st singular', '2nd singular', '3rd singular']);
  });
});
