/** The dated versions of MCP that open with `initialize`, oldest first. */
export const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export type LegacyRevision = (typeof legacyRevisions)[number];

/** The revision offered to a client that asks for one we do not know. */
export const newestLegacyRevision: LegacyRevision = '2025-11-25';

/** Whether `text` names a legacy revision that the gateway speaks. */
export function isLegacyRevision(text: unknown): text is LegacyRevision {
  return (legacyRevisions as readonly unknown[]).includes(text);
}

/** Whether `revision` is `other` or newer; dated versions order as text. */
export function atLeast(revision: string, other: LegacyRevision): boolean {
  return revision >= other;
}

/** The dated versions of MCP in which every request carries its own context, oldest first. */
export const modernRevisions = ['2026-07-28'] as const;
export type ModernRevision = (typeof modernRevisions)[number];

/** The revision in which the gateway opens with a modern backend. */
export const modernRevision: ModernRevision = '2026-07-28';

/** Whether `text` names a modern revision that the gateway speaks. */
export function isModernRevision(text: unknown): text is ModernRevision {
  return (modernRevisions as readonly unknown[]).includes(text);
}
