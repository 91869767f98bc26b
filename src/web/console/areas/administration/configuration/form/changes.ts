import { chosenOption, type Field } from './schema.ts'
import { isSame, masked, type Path, type Values, valueAt, valuesOf, withValueAt } from './values.ts'

/** One field that differs between two versions of a section. `undefined`: the version does not have it. */
export type Change = { readonly path: Path; readonly field: Field; readonly before: unknown; readonly after: unknown }

type Versions = readonly [before: unknown, after: unknown]

/** Fields with one value (a list counts as one) that differ, in the order of the form. */
export function changesBetween(fields: readonly Field[], [before, after]: Versions, path: Path = []): readonly Change[] {
  return fields.flatMap((field): readonly Change[] => {
    const own = [...path, field.key]
    const [old, next] = [valueAt(before, [field.key]), valueAt(after, [field.key])]
    if (field.kind === 'group') return changesBetween(field.fields, [old, next], own)
    if (field.kind !== 'variant') return isSame(old, next) ? [] : [{ path: own, field, before: old, after: next }]
    const [left, chosen] = [chosenOption(field, old), chosenOption(field, next)]
    if (left === chosen) return changesBetween(chosen?.fields ?? [], [old, next], own)
    return [{ path: own, field, before: old, after: next }, ...changesBetween(chosen?.fields ?? [], [{}, next], own)]
  })
}

/** What has to be sent for these changes: only the fields that change. */
export function patchOf(changes: readonly Change[]): Values {
  return valuesOf(
    changes.reduce<unknown>((patch, { path, field, after }) => {
      if (field.kind !== 'variant') return withValueAt(patch, path, after)
      const option = chosenOption(field, after)
      return withValueAt(patch, path, option ? { id: option.id } : null)
    }, {}),
  )
}

/** Fields that two people changed to different values, as dotted paths; a provider belongs together with all of its fields. */
export function clashesOf(mine: readonly Change[], theirs: readonly Change[]): ReadonlySet<string> {
  const clashes = mine.filter(({ path, after }) =>
    theirs.some(
      (other) => overlaps(path, other.path) && !(path.length === other.path.length && isSame(after, other.after) && after !== masked),
    ),
  )
  return new Set(clashes.map(({ path }) => path.join('.')))
}

function overlaps(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((key, at) => key === b[at])
}

/** The document with these changes made in it. */
export function applied(document: Values, changes: readonly Change[]): Values {
  return valuesOf(changes.reduce<unknown>((values, { path, after }) => withValueAt(values, path, after), document))
}

/**
 * A document as versions are compared: two different secrets are masked alike, so each becomes its fingerprint, which is of one version's
 * `_meta.secrets`.
 */
export function withFingerprints(document: Values): Values {
  const { _meta, ...values } = document
  const secrets = Object.entries(valuesOf(valuesOf(_meta)['secrets']))
  return valuesOf(
    secrets.reduce<unknown>((result, [path, print]) => withValueAt(result, path.split('.'), `${masked}${String(print)}`), values),
  )
}
