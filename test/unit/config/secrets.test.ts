import { expect, it } from 'vitest';
import { load, problemsOf, withBackend } from '../../helpers/load-config.js';

const SECRET = 'S3NT1NEL';
const node = { command: 'node' };

it.each([
  ['env that is a text', { ...node, env: `KEY=${SECRET}` }],
  ['env that is a list', { ...node, env: [`KEY=${SECRET}`] }],
  ['a value of env that is a list', { ...node, env: { KEY: [SECRET] } }],
  ['args that are one text', { ...node, args: `--key=${SECRET}` }],
  ['an argument that is an object', { ...node, args: [{ key: SECRET }] }],
  ['a malformed placeholder', { ...node, args: [`\${${SECRET}!}`] }],
  ['a placeholder that is never closed', { ...node, env: { KEY: `\${${SECRET}` } }],
  ['a command that is a list', { command: ['node', SECRET] }],
  ['a URL that is a list', { url: [SECRET] }],
])('does not show secrets in the error about %s', (_, entry) => {
  const problems = problemsOf(withBackend(entry));
  expect(problems).not.toEqual([]);
  expect(problems.join('\n')).not.toContain(SECRET);
});

it('does not show expanded values, nor what stands around a placeholder, in the reason why a backend is off', () => {
  const entry = {
    ...node,
    args: [`\${TOKEN}\${NOPE}`, `--key=${SECRET}\${NOPE}`],
    env: { KEY: `\${TOKEN}\0` },
  };
  const [backend] = load(withBackend(entry), { env: { TOKEN: SECRET } }).backends;
  expect(backend?.off).toContain('NOPE');
  expect(backend?.off).not.toContain(SECRET);
});
