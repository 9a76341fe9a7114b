/** A value of the configuration file. Objects are maps, so that no key (`__proto__`) is special. */
export type ConfigValue = null | boolean | number | string | readonly ConfigValue[] | ConfigObject;
export type ConfigObject = ReadonlyMap<string, ConfigValue>;

export function isConfigObject(value: ConfigValue): value is ConfigObject {
  return value instanceof Map;
}

/** How a value reads in an error: scalars as they are written, the rest by kind. */
export function describeValue(value: ConfigValue): string {
  return typeof value === 'object' && value !== null ? describeKind(value) : JSON.stringify(value);
}

/** How a value reads in an error that must not show it, because it may be a secret. */
export function describeKind(value: ConfigValue): string {
  if (value === null) return 'null';
  if (isConfigObject(value)) return 'an object';
  if (typeof value === 'object') return 'a list';
  return value === '' ? 'an empty string' : `a ${typeof value}`;
}
