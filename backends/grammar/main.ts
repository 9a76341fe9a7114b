import { defineTool } from '../kit/definition.js';
import { serve } from '../kit/serve.js';
import { conjugate, persons, tenses, verbs } from './conjugation.js';

const request = {
  verb: { type: 'string', enum: verbs, description: 'The verb in its base form' },
  tense: { type: 'string', enum: tenses, description: 'The tense or form to build' },
  person: { type: 'string', enum: persons, description: 'Who acts: I, you, or he/she/it' },
} as const;

const conjugateTool = defineTool({
  name: 'conjugate',
  title: 'Conjugate an English verb',
  description:
    'Gives the form of a common English verb for a tense and a person, such as "ate" for eat, past simple, ' +
    '3rd singular. The infinitive is written with "to", the simple future with "will".',
  inputSchema: {
    type: 'object',
    properties: request,
    required: ['verb', 'tense', 'person'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { ...request, form: { type: 'string', description: 'The conjugated form' } },
    required: ['verb', 'tense', 'person', 'form'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  handler({ verb, tense, person }) {
    const form = conjugate(verb, tense, person);
    return { text: form, structured: { verb, tense, person, form } };
  },
});

serve({ name: 'grammar', title: 'English grammar', version: '1.0.0', tools: [conjugateTool] });
