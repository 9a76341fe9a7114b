import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import {
  backendRule,
  isIn,
  legacyClientRule,
  type MethodRule,
  methodRules,
} from '../../../src/protocol/methods.js';
import { legacyRevisions, newestLegacyRevision } from '../../../src/protocol/revisions.js';
import { type MessageUnion, officialSchema, schemasAreMissing } from '../../helpers/official-schemas.js';

interface Union {
  readonly union: MessageUnion;
  readonly from: MethodRule['from'];
  readonly kind: MethodRule['kind'];
  /** What the SDK lists for the newest revision. */
  readonly listed: SdkUnion;
}

interface SdkUnion {
  readonly options: readonly { readonly shape: { readonly method: { readonly value: string } } }[];
}

const unions: readonly Union[] = [
  { union: 'ClientRequest', from: 'client', kind: 'request', listed: sdk.ClientRequestSchema },
  { union: 'ClientNotification', from: 'client', kind: 'notification', listed: sdk.ClientNotificationSchema },
  { union: 'ServerRequest', from: 'backend', kind: 'request', listed: sdk.ServerRequestSchema },
  {
    union: 'ServerNotification',
    from: 'backend',
    kind: 'notification',
    listed: sdk.ServerNotificationSchema,
  },
];

const rows = legacyRevisions.flatMap((revision) => unions.map((union) => ({ revision, ...union })));

function isInTable({ from, kind }: Union, revision: string, method: string): boolean {
  if (from === 'client') return legacyClientRule(method, kind, revision) !== undefined;
  const rule = backendRule(method, kind);
  return rule !== undefined && isIn(rule, revision);
}

describe('the method table', () => {
  it.for(rows)('has every $union of the official schema of $revision, and no other', (row, { skip }) => {
    skip(schemasAreMissing !== undefined, schemasAreMissing);
    const official = officialSchema(row.revision).methods(row.union);
    const ours = methodRules
      .filter((rule) => rule.from === row.from && rule.kind === row.kind && isIn(rule, row.revision))
      .map(({ method }) => method);
    expect(ours.toSorted()).toEqual(official.toSorted());
    expect(official.filter((method) => !isInTable(row, row.revision, method))).toEqual([]);
  });

  it.each(unions)('has every $union that the official SDK lists', (union) => {
    const listed = union.listed.options.map(({ shape }) => shape.method.value);
    expect(listed).toContain(union.kind === 'request' ? 'ping' : 'notifications/progress');
    expect(listed.filter((method) => !isInTable(union, newestLegacyRevision, method))).toEqual([]);
  });
});
