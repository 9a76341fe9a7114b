declare const brand: unique symbol;

/** A type that is `T` at run time and distinct from every other brand at compile time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
