/**
 * The part of JSON Schema (2020-12) that tools of this kit describe themselves with. It is small on
 * purpose: every keyword below is checked by `checkArguments`, and no other can be written.
 */
export type ValueSchema = StringSchema | NumberSchema | BooleanSchema | ArraySchema | ObjectSchema;

export type ObjectSchema = Described & {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: ValueSchema };
  readonly required?: readonly string[];
  /** `false` refuses members that `properties` does not name. Default: they are accepted and ignored. */
  readonly additionalProperties?: false;
};

type StringSchema = Described & { readonly type: 'string'; readonly enum?: readonly string[] };

type NumberSchema = Described & {
  readonly type: 'number' | 'integer';
  /** Inclusive. */
  readonly minimum?: number;
  /** Inclusive. */
  readonly maximum?: number;
};

type BooleanSchema = Described & { readonly type: 'boolean' };

type ArraySchema = Described & {
  readonly type: 'array';
  readonly items: ValueSchema;
  readonly minItems?: number;
};

type Described = {
  /** What the value means, for a model. */
  readonly description?: string;
};

/** The TypeScript type of the values that `Schema` accepts, so that a tool's code and its schema cannot drift apart. */
export type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Allowed)[] }
  ? Allowed
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'number' | 'integer' }
      ? number
      : Schema extends { readonly type: 'boolean' }
        ? boolean
        : Schema extends { readonly type: 'array'; readonly items: infer Items }
          ? readonly ValueOf<Items>[]
          : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
            ? ObjectOf<Properties, RequiredOf<Schema>>
            : never;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: ValueOf<Properties[Name]>;
} & {
  readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ValueOf<Properties[Name]>;
};
