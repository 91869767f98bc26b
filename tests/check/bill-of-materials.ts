import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * Writes the bill of materials (CycloneDX 1.6) of what runs in production, from the lock file. `npm sbom --omit dev` leaves out packages that
 * development needs as well (38 of 103, seen with npm 11.19), and @cyclonedx/cyclonedx-npm brings 119 packages, one of which is compiled at its
 * installation. Fails if a package that production reaches from package.json is not in it.
 */

const file = 'tests/.cache/sbom.cdx.json'
const names = z.record(z.string(), z.string()).default({})
const packageSchema = z.object({
  version: z.string().default(''),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
  link: z.boolean().default(false),
  dependencies: names,
  optionalDependencies: names,
})
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) })
type Locked = z.output<typeof packageSchema>

const { packages } = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
const root = packages['']
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? ''

function componentOf(path: string, { version, license, integrity }: Locked) {
  const name = nameOf(path)
  const [algorithm, digest] = integrity?.split('-') ?? []
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === 'sha512' && digest !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  }
}

/** Where Node finds a package that another one imports: in the nearest folder above it. */
function resolveFrom(path: string, name: string): string | null {
  const own = `${path === '' ? '' : `${path}/`}node_modules/${name}`
  if (own in packages) return own
  if (path === '') return null
  const above = path.slice(0, path.lastIndexOf('node_modules/')).replace(/\/$/, '')
  return resolveFrom(above, name)
}

/** The packages that production reaches, found without the marks of the lock file. */
function reached(path: string, found: Set<string>): Set<string> {
  const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = resolveFrom(path, name)
    if (next === null || found.has(next)) continue
    found.add(next)
    reached(next, found)
  }
  return found
}

const listed = Object.entries(packages).filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
const component = { type: 'application', name: 'call-center-sidecar', version: root?.version ?? '' }
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component },
  components: listed.map((one) => componentOf(...one)),
}
mkdirSync('tests/.cache', { recursive: true })
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)

const inBill = new Set(listed.map(([path]) => path))
const needed = reached('', new Set())
const missing = [...needed].filter((path) => !inBill.has(path))
for (const path of missing) console.error(`${nameOf(path)} runs in production, and is not in the bill of materials`)
console.log(`${file}: ${inBill.size} packages, of which production reaches ${needed.size}; ${missing.length} missing`)
process.exitCode = missing.length > 0 || needed.size === 0 ? 1 : 0
