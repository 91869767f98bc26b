import type { FieldArguments } from './generated.ts'

type ObjectType = { readonly __typename: string }

/** What a value is without null and lists. */
type Item<Value> = NonNullable<Value> extends readonly (infer Entry)[] ? Item<Entry> : NonNullable<Value>
type IsUnion<Type, Whole = Type> = Type extends unknown ? ([Whole] extends [Type] ? false : true) : never

/** `$`: the arguments of a field, as in the schema. */
type Arguments<Name extends string> = Name extends keyof FieldArguments
  ? Partial<FieldArguments[Name]> extends FieldArguments[Name]
    ? { readonly $?: FieldArguments[Name] }
    : { readonly $: FieldArguments[Name] }
  : unknown

type FieldName<Type extends ObjectType, Field> = `${Type['__typename']}.${Field & string}`
type FieldSelection<Name extends string, Value> = [Value] extends [ObjectType]
  ? Selection<Value> & Arguments<Name>
  : Name extends keyof FieldArguments
    ? Arguments<Name> | (Partial<FieldArguments[Name]> extends FieldArguments[Name] ? true : never)
    : true

/**
 * Which fields of a type a request asks for: `true` for a value, a selection for an object or a list of objects. `$` has the arguments of
 * a field. Of a union, `on` has a selection for each type: `{ on: { RecordingAnalysis: { summary: true } } }`.
 */
export type Selection<Type extends ObjectType> =
  IsUnion<Type> extends true
    ? { readonly on: { readonly [Name in Type['__typename']]?: Selection<Extract<Type, { readonly __typename: Name }>> } }
    : { readonly [Field in keyof Type]?: FieldSelection<FieldName<Type, Field>, Item<Type[Field]>> }

/** The answer to a selection: exactly the selected fields. Of a union, also `__typename`. */
export type Selected<Value, Selecting> = Value extends readonly (infer Entry)[]
  ? readonly Selected<Entry, Selecting>[]
  : Value extends ObjectType
    ? Selecting extends { readonly on: infer Choices }
      ? Pick<Value, '__typename'> &
          (Value['__typename'] extends keyof Choices ? SelectedFields<Value, Choices[Value['__typename']]> : unknown)
      : SelectedFields<Value, Selecting>
    : Value

type SelectedFields<Type, Selecting> = {
  readonly [Field in keyof Type as Field extends keyof Selecting ? Field : never]: Selected<
    Type[Field],
    Field extends keyof Selecting ? Selecting[Field] : never
  >
}

type KeyOf<Value> = Value extends object ? keyof Value : never
type Property<Value, Key> = Value extends object ? (Key extends keyof Value ? Value[Key] : never) : never

/** Refuses what the schema does not have: a selection is generic, so the compiler alone would accept any further field. */
export type Exact<Given, Allowed> = unknown extends Allowed
  ? Given
  : Given extends readonly unknown[]
    ? Given
    : Given extends object
      ? { readonly [Key in keyof Given]: Key extends KeyOf<Allowed> ? Exact<Given[Key], Property<Allowed, Key>> : never }
      : Given
