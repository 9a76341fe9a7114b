import { describe, expect, it } from 'vitest';
import { type AdminRequest, type AdminRules, objectionTo } from '../../../src/admin/request-checks.js';

const loopback: AdminRules = { beyondLoopback: false, allowedHosts: new Set(['admin.example.com']) };
const everywhere: AdminRules = { ...loopback, beyondLoopback: true };
const good: AdminRequest = { method: 'GET', hosts: ['127.0.0.1:8809'], origin: undefined };

describe('objectionTo', () => {
  it.each<[string, AdminRules, Partial<AdminRequest>, number | undefined]>([
    ['GET', loopback, {}, undefined],
    ['HEAD', loopback, { method: 'HEAD' }, undefined],
    ['POST', loopback, { method: 'POST' }, 405],
    ['localhost', loopback, { hosts: ['localhost'] }, undefined],
    ['a configured Host', loopback, { hosts: ['Admin.example.com'] }, undefined],
    ['a foreign Host', loopback, { hosts: ['evil.test:8809'] }, 421],
    ['a false port', loopback, { hosts: ['127.0.0.1:evil.com'] }, 421],
    ['an address on a loopback bind', loopback, { hosts: ['10.1.2.3:8809'] }, 421],
    ['an address beyond loopback', everywhere, { hosts: ['10.1.2.3:8809'] }, undefined],
    ['an IPv6 address beyond loopback', everywhere, { hosts: ['[fd00::1]:8809'] }, undefined],
    ['a foreign name beyond loopback', everywhere, { hosts: ['evil.test'] }, 421],
    ['no Host', loopback, { hosts: [] }, 400],
    ['two Hosts', loopback, { hosts: ['localhost', 'localhost'] }, 400],
    ['its own Origin', loopback, { origin: 'http://127.0.0.1:8809' }, undefined],
    ['a foreign Origin', loopback, { origin: 'http://evil.test' }, 403],
    ['the Origin of another port', loopback, { origin: 'http://127.0.0.1:3000' }, 403],
    ['the Origin null', loopback, { origin: 'null' }, 403],
  ])('judges %s', (_, rules, change, status) => {
    expect(objectionTo({ ...good, ...change }, rules)?.status).toBe(status);
  });
});
