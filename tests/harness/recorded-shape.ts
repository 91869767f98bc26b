/** Values by name that one answer gave and a later request or answer names as `{name}`. */
export type Learnt = Map<string, string>

const forms: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  token: /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/,
  moment: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  cursor: /^[A-Za-z0-9+/]{8,}=*$/,
  text: /[\s\S]/,
}

/** `{name}` is replaced by what was learnt; throws where nothing was. */
export function filledIn(value: unknown, learnt: Learnt): unknown {
  if (typeof value === 'string') return value.replaceAll(/\{([a-zA-Z][\w:]*)\}/g, (_all, name: string) => known(learnt, name))
  if (Array.isArray(value)) return value.map((item: unknown) => filledIn(item, learnt))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledIn(item, learnt)]))
}

function known(learnt: Learnt, name: string): string {
  const value = learnt.get(name)
  if (value === undefined) throw new Error(`nothing is known as {${name}}`)
  return value
}

/**
 * Compares an answer with its recorded shape and learns from it. `"<uuid>"` is any UUID, `"<uuid:lead>"` one to remember as `lead`;
 * likewise `token`, `moment`, `cursor`, `text`. `"<number>"` and `"<any>"` are what they say; `["<some>", shape]` is a list of one or
 * more of a shape. Everything else must be equal, and no member may be missing or added. Answers what differs, one line each.
 */
export function differences(expected: unknown, actual: unknown, learnt: Learnt): string[] {
  const compare = (wanted: unknown, given: unknown, path: string): string[] => {
    if (Array.isArray(wanted)) return compareLists(wanted, given, path)
    if (isObject(wanted)) return compareMembers(wanted, given, path)
    if (typeof wanted === 'string' && placeholder.test(wanted)) return comparePlaceholder(wanted, given, path)
    const filled = filledIn(wanted, learnt)
    return filled === given ? [] : [`${path}: ${show(given)} instead of ${show(filled)}`]
  }

  const comparePlaceholder = (wanted: string, given: unknown, path: string): string[] => {
    const [, kind = '', name] = placeholder.exec(wanted) ?? []
    const fits = kind === 'any' || (kind === 'number' ? typeof given === 'number' : typeof given === 'string' && forms[kind]?.test(given))
    if (fits === true && name !== undefined) learnt.set(name, String(given))
    return fits === true ? [] : [`${path}: ${show(given)} is no ${kind}`]
  }

  const compareLists = (wanted: readonly unknown[], given: unknown, path: string): string[] => {
    if (!Array.isArray(given)) return [`${path}: ${show(given)} is no list`]
    if (wanted[0] === '<some>') {
      if (given.length === 0) return [`${path}: is empty`]
      return given.flatMap((item: unknown, index) => compare(wanted[1], item, `${path}[${index}]`))
    }
    const length = wanted.length === given.length ? [] : [`${path}: ${given.length} items instead of ${wanted.length}`]
    const common = wanted.slice(0, given.length)
    return [...length, ...common.flatMap((item, index) => compare(item, given[index], `${path}[${index}]`))]
  }

  const compareMembers = (wanted: Readonly<Record<string, unknown>>, given: unknown, path: string): string[] => {
    if (!isObject(given)) return [`${path}: ${show(given)} is no object`]
    const missing = Object.keys(wanted).filter((name) => !(name in given))
    const added = Object.keys(given).filter((name) => !(name in wanted))
    return [
      ...missing.map((name) => `${path}.${name}: is missing`),
      ...added.map((name) => `${path}.${name}: was not expected`),
      ...Object.entries(wanted).flatMap(([name, item]) => (name in given ? compare(item, given[name], `${path}.${name}`) : [])),
    ]
  }

  return compare(expected, actual, 'answer')
}

const placeholder = /^<([a-z]+)(?::(\w+))?>$/

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
