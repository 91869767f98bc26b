/** Values by name that one answer gave and a later request or answer names as `{name}`. */
export type Learnt = Map<string, string>

const forms: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  token: 'eyJ[\\w-]+\\.eyJ[\\w-]+\\.[\\w-]+',
  moment: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  cursor: '[A-Za-z0-9+/]{8,}=*',
  text: '[\\s\\S]*',
  number: '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?',
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
 * likewise `token`, `moment`, `cursor`, `text`, also inside a longer text. `"<number>"` alone and `"<any>"` are what they say;
 * `["<some>", shape]` is a list of one or more of a shape. Everything else must be equal, and no member may be missing or added. Answers what differs, one line each.
 */
export function differences(expected: unknown, actual: unknown, learnt: Learnt): string[] {
  const compare = (wanted: unknown, given: unknown, path: string): string[] => {
    if (Array.isArray(wanted)) return compareLists(wanted, given, path)
    if (isObject(wanted)) return compareMembers(wanted, given, path)
    return fits(wanted, given) ? [] : [`${path}: ${show(given)} instead of ${show(wanted)}`]
  }

  const fits = (wanted: unknown, given: unknown): boolean => {
    if (wanted === '<any>') return true
    if (wanted === '<number>') return typeof given === 'number'
    return typeof wanted === 'string' && typeof given === 'string' ? isLike(wanted, given) : wanted === given
  }

  const isLike = (wanted: string, given: string): boolean => {
    const names: (string | undefined)[] = []
    const pattern = wanted.split(placeholder).map((part) => {
      const [, kind = '', name] = /^<([a-z]+)(?::(\w+))?>$/.exec(part) ?? []
      const form = forms[kind]
      if (form === undefined) return escaped(part.replace(/^\{(.+)\}$/, (all, known: string) => learnt.get(known) ?? all))
      names.push(name)
      return `(${form})`
    })
    const found = new RegExp(`^${pattern.join('')}$`, 'u').exec(given)
    for (const [index, name] of names.entries()) if (found && name !== undefined) learnt.set(name, found[index + 1] ?? '')
    return found !== null
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

const placeholder = /(<(?:uuid|token|moment|cursor|text|number)(?::\w+)?>|\{[a-zA-Z][\w:]*\})/

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
