import type { About } from '../../ports/stored/declaration.ts'
import { storedValues } from '../../wiring/stored-values.ts'

const subjects: Readonly<Record<About, string>> = {
  person: 'About a person who calls or is called',
  call: 'About a call, and so about who called',
  visitor: 'About a visitor of the widget',
  agent: 'About an agent or another member of staff',
  workspace: 'About a workspace',
  nothing: 'About nobody: leases, counters and marks',
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const

/** The page of all stored values, for graphql-codegen: from their declarations. */
export function plugin(): string {
  const parts = Object.entries(subjects).map(([about, title]) => {
    const rows = storedValues
      .filter((value) => value.about === about)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, lifetime, what }) => `| \`${name}\` | ${timeOf(lifetime)} | ${what} |`)
    return [`## ${title}`, '', '| kind | at most | what |', '|---|---|---|', ...rows].join('\n')
  })
  return `${introduction}\n\n<!-- npm run codegen -->\n${parts.join('\n\n')}\n<!-- end -->\n`
}

const introduction = `# Stored values

Every kind of value in the store, from its declaration in the code (\`npm run codegen\` writes this page). The name is what its keys begin with; the
first \`*\` is a workspace. The time is the longest one: most values end earlier, when their work is done. What else is stored, and where:
[retention.md](retention.md).`

function timeOf(ms: number): string {
  const [size, unit] = units.find(([length]) => ms % length === 0) ?? [1, 'ms']
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`
}
