import { type Clock, isoMoment } from '../../kernel/clock.ts'
import type { DocumentStore } from '../../ports/documents.ts'
import { AppError } from '../../kernel/errors.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import { type DocumentCodec, type Stored, type Target, nameOf } from './document-codec.ts'
import type { SectionSchemas } from './section-schemas.ts'
import type { Seeding } from './seeding.ts'
import type { ChangeAction, Editor, Revision } from './stored-document.ts'

/** A section as it stands. */
export type Standing<Name extends SectionName = SectionName> = {
  readonly values: Sections[Name]
  /** The states up to this one, newest first, secrets sealed. */
  readonly history: readonly [Revision, ...Revision[]]
}

export type Change<Name extends SectionName> = {
  readonly action: ChangeAction
  readonly editor: Editor | null
  /** Refused with CHANGED_MEANWHILE where the section stands at another version. */
  readonly ifVersion?: number | null | undefined
  /** Makes the new values; may be called again, where another writer was faster. */
  readonly edit: (standing: Standing<Name>) => Sections[Name] | Promise<Sections[Name]>
}

/** The sections of all workspaces, as they lie in the store. */
export interface Documents {
  /** Reads the store; seeds what was never stored. Throws NOT_CONFIGURED, naming the document, for one that cannot be read. */
  load<Name extends SectionName>(target: Target<Name>): Promise<Standing<Name>>
  /** The values of an earlier version; NOT_FOUND where it is not kept, NOT_CONFIGURED where it fits the section no more. */
  earlier<Name extends SectionName>(target: Target<Name>, version: number): Promise<Sections[Name]>
  /** The values with which the section begins. */
  initial<Name extends SectionName>(target: Target<Name>): Promise<Sections[Name]>
  /** Resolves when the change is durable; what changes nothing stores nothing. Throws like `load`, and CHANGED_MEANWHILE. */
  change<Name extends SectionName>(target: Target<Name>, change: Change<Name>): Promise<Standing<Name>>
}

export type DocumentsOptions = {
  readonly store: DocumentStore
  readonly codec: DocumentCodec
  readonly schemas: SectionSchemas
  readonly seeding: Seeding
  readonly clock: Clock
  /** Called after each change, when it is durable. */
  readonly onChange: (target: Target) => Promise<void>
}

/** Writers of other instances may be faster some times, not for ever. */
const maxTries = 30

export function createDocuments({ store, codec, schemas, seeding, clock, onChange }: DocumentsOptions): Documents {
  const mutex = createKeyedMutex()
  const now = (): string => isoMoment(clock.now())

  const initial = async <Name extends SectionName>({ workspaceId, section }: Target<Name>): Promise<Sections[Name]> =>
    schemas[section].parse(await seeding(workspaceId, section))

  /** One step towards what stands: the document, or null where it had to be written first and is to be read again. */
  const readOnce = async <Name extends SectionName>(target: Target<Name>): Promise<Stored<Name> | null> => {
    const text = await store.read(nameOf(target))
    if (text === null) {
      const first = codec.encode(target, null, { values: await initial(target), action: 'SEEDED', changedAt: now(), changedBy: null })
      await replace(target, null, first)
      return null
    }
    const stored = codec.decode(target, text)
    const recorded = codec.recordEditByHand(target, stored, now())
    if (recorded === null) return stored
    await replace(target, text, recorded)
    return null
  }

  const read = <Name extends SectionName>(target: Target<Name>): Promise<Stored<Name>> => firstOf(() => readOnce(target))

  const replace = async (target: Target, expected: string | null, text: string | null): Promise<boolean> => {
    if (text === null || !(await store.replace(nameOf(target), { expected, text }))) return false
    await onChange(target)
    return true
  }

  const changeOnce = async <Name extends SectionName>(target: Target<Name>, change: Change<Name>): Promise<Standing<Name> | null> => {
    const from = await read(target)
    const standing = standingOf(from)
    assertVersion(standing, change.ifVersion)
    const { action, editor: changedBy } = change
    const text = codec.encode(target, from, { values: await change.edit(standing), action, changedAt: now(), changedBy })
    if (text === null) return standing
    return (await replace(target, from.text, text)) ? standingOf(codec.decode(target, text)) : null
  }

  return {
    load: async (target) => standingOf(await read(target)),
    earlier: async (target, version) => {
      const revision = (await read(target)).document.history.find((one) => one.version === version)
      if (!revision) throw new AppError('NOT_FOUND', { detail: `Version ${version} of the ${target.section} configuration is not kept` })
      return codec.valuesOf(target, revision.values)
    },
    initial,
    change: (target, change) => mutex.run(nameOf(target), () => firstOf(() => changeOnce(target, change))),
  }
}

async function firstOf<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const result = await attempt()
    if (result !== null) return result
  }
  throw new AppError('OVERLOADED', { detail: 'Too many others are changing this configuration', data: { retryAfterSeconds: 1 } })
}

function standingOf<Name extends SectionName>({ values, document }: Stored<Name>): Standing<Name> {
  return { values, history: document.history }
}

function assertVersion({ history }: Standing, ifVersion: number | null | undefined): void {
  const [{ version }] = history
  if (ifVersion === null || ifVersion === undefined || ifVersion === version) return
  const changes = history
    .filter((revision) => revision.version > ifVersion)
    .map(({ version, changedAt, changedBy, action, fields }) => ({ version, changedAt, changedBy, action, fields }))
  throw new AppError('CHANGED_MEANWHILE', {
    detail: `The configuration is at version ${version} now, not ${ifVersion}`,
    data: { version, changes },
  })
}
