import { globSync, readFileSync } from 'node:fs'

/** The one file that asks the platform for doctors and visit slots, or writes them. */
const home = 'src/providers/platform/doctors.ts'

/**
 * What names the two objects without asking for them: the fragment, the names in the configuration, the data model that is provisioned, and the links
 * of the combined schema, whose fields the client selects.
 */
const namesThem: ReadonlySet<string> = new Set([
  'src/ports/records/visit-slot.ts',
  'src/ports/configuration/platform.ts',
  'src/features/setup/required-model.ts',
  'src/server/graphql/stitching/object-names.ts',
  'src/server/graphql/stitching/record-links.ts',
  // A stored value of this name.
  'src/features/doctors/doctor-directory.ts',
  // Of which objects the API key must have rights.
  'src/commands/diagnose/workspace-checks.ts',
])

const queries: readonly RegExp[] = [
  // By the platform's records: `records.list(access, 'visitSlot', ...)`, or under a name of its own.
  /(?<!<)(['"`])visitSlots?\1/,
  /[\w)]\s*,\s*(['"`])doctors?\1\s*[,)]/,
  /(?:\bname:|=)\s*(['"`])doctors?\1/,
  // By the names that the workspace's configuration gives them.
  /\bobjects\s*(?:\?\.|\.|\[\s*['"`])\s*(?:visitSlot|doctor)\b/,
  /\{[^{}]*\b(?:visitSlot|doctor)\b[^{}]*\}\s*=\s*[^;\n]*\bobjects\b/,
  /\bobjects\s*:\s*\{[^{}]*\b(?:visitSlot|doctor)\b/,
  // As GraphQL text.
  /\b(?:visitSlots?|doctors?)\s*\(\s*(?:filter|first|last|orderBy|after|before|offset)\s*:/,
  /\b(?:visitSlots?|doctors?)\s*(?:\([^()]*\)\s*)?\{\s*(?:edges|totalCount|pageInfo)\b/,
  /\b(?:create|update|delete|destroy|restore)(?:VisitSlots?|Doctors?)\b/,
  /\b(?:VisitSlot|Doctor)(?:Filter|OrderBy|Create|Update)Input\b/,
]

/**
 * Names each place outside the one file that asks the platform for doctors or visit slots. That the one file is not found to ask for them
 * is a fault as well: then the search has gone blind.
 */
export function findSecondQueries(sources: Readonly<Record<string, string>>): readonly string[] {
  const asks = (source: string): boolean => queries.some((query) => query.test(source))
  const seconds = Object.entries(sources).flatMap(([path, source]) => {
    const line = path === home || namesThem.has(path) ? undefined : queries.flatMap((query) => query.exec(source) ?? [])[0]
    return line === undefined
      ? []
      : [`${path}: asks for doctors or visit slots by itself (${line.trim().slice(0, 80)}): take DoctorRecords`]
  })
  return asks(sources[home] ?? '') ? seconds : [...seconds, `${home}: the one query is not found there`]
}

if (import.meta.main) {
  // The tour is a client like any other: in the sandbox it undoes what its visitor booked, as somebody at the desk would. The widget's page
  // runs in a visitor's browser, which reaches no platform.
  const exclude = ['src/sandbox/**', 'src/commands/tour/**', 'src/web/widget/**', '**/generated.ts']
  const paths = globSync('src/**/*.{ts,mjs,graphql}', { exclude }).map((path) => path.replaceAll('\\', '/'))
  const faults = findSecondQueries(Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')])))
  for (const fault of faults) console.error(fault)
  console.log(`${paths.length} files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
