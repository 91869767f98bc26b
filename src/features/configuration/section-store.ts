import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { Ports } from '../../ports/ports.ts'
import {
  decodeSection,
  decodeState,
  encodeEditByHand,
  encodeSection,
  nameOf,
  type SectionCodec,
  type StoredSection,
  type Target,
} from './section-codec.ts'
import type { Seeds } from './seeds.ts'
import type { ChangeAction, Editor, Revision } from './stored-document.ts'

/** The current state of a section. */
export type SectionState<Name extends SectionName = SectionName> = {
  readonly values: Sections[Name]
  /** The states up to this one, newest first, secrets sealed. */
  readonly history: readonly [Revision, ...Revision[]]
}

/** What a manager does; the other actions happen by themselves. */
export type EditAction = Exclude<ChangeAction, 'SEEDED' | 'EDITED_BY_HAND'>

export type Change<Name extends SectionName> = {
  readonly action: EditAction
  readonly editor: Editor | null
  /** If the section has another version, the change is refused with CHANGED_MEANWHILE. */
  readonly ifVersion?: number | null | undefined
  /** Makes the new values. Runs again if another writer was faster. */
  readonly edit: (state: SectionState<Name>) => Sections[Name] | Promise<Sections[Name]>
}

/** The stored sections of all workspaces. */
export type SectionStore = {
  /** Reads the store; a section that was never stored is seeded. Throws NOT_CONFIGURED, naming the document, if it cannot be read. */
  load<Name extends SectionName>(target: Target<Name>): Promise<SectionState<Name>>
  /** The values of an earlier version. Throws NOT_FOUND if it is no longer stored, NOT_CONFIGURED if it does not fit the section. */
  earlier<Name extends SectionName>(target: Target<Name>, version: number): Promise<Sections[Name]>
  /** The values of a section that was never changed. */
  initial<Name extends SectionName>(target: Target<Name>): Promise<Sections[Name]>
  /** Resolves when the change is durable. Equal values are not stored again. Throws like `load`, and CHANGED_MEANWHILE. */
  change<Name extends SectionName>(target: Target<Name>, change: Change<Name>): Promise<SectionState<Name>>
}

/** What a section store works with. `onChange` runs after each change, when it is durable. */
export type SectionStorage = SectionCodec &
  Pick<Ports, 'documents' | 'clock'> & { readonly seeds: Seeds; readonly onChange: (target: Target) => Promise<void> }

/** Writers of other instances may be faster a few times, but not for ever. */
const maxAttempts = 30

export function createSectionStore(storage: SectionStorage): SectionStore {
  const mutex = createKeyedMutex()
  return {
    load: async (target) => stateOf(await read(storage, target)),
    async earlier(target, version) {
      const revision = (await read(storage, target)).document.history.find((one) => one.version === version)
      if (revision) return decodeState(storage, target, revision.values)
      throw new AppError('NOT_FOUND', { detail: `Version ${version} of the ${target.section} configuration is not stored` })
    },
    initial: (target) => initialValues(storage, target),
    change: (target, change) => mutex.run(nameOf(target), () => firstResult(() => tryChange(storage, target, change))),
  }
}

async function initialValues<Name extends SectionName>({ schemas, seeds }: SectionStorage, target: Target<Name>): Promise<Sections[Name]> {
  return schemas[target.section].parse(await seeds.read(target.workspaceId, target.section))
}

function read<Name extends SectionName>(storage: SectionStorage, target: Target<Name>): Promise<StoredSection<Name>> {
  return firstResult(() => tryRead(storage, target))
}

/** Null if the document had to be written first; then read it again. */
async function tryRead<Name extends SectionName>(storage: SectionStorage, target: Target<Name>): Promise<StoredSection<Name> | null> {
  const text = await storage.documents.read(nameOf(target))
  const changedAt = isoMoment(storage.clock.now())
  if (text === null) {
    const next = { values: await initialValues(storage, target), action: 'SEEDED', changedAt, changedBy: null } as const
    await replace(storage, target, { expected: null, text: encodeSection(storage, target, { from: null, next }) })
    return null
  }
  const stored = decodeSection(storage, target, text)
  const recorded = encodeEditByHand(storage, target, { document: stored.document, changedAt })
  if (recorded === null) return stored
  await replace(storage, target, { expected: text, text: recorded })
  return null
}

/** Null if another writer was faster. */
async function tryChange<Name extends SectionName>(
  storage: SectionStorage,
  target: Target<Name>,
  change: Change<Name>,
): Promise<SectionState<Name> | null> {
  const from = await read(storage, target)
  const state = stateOf(from)
  assertVersion(state, change.ifVersion)
  const { action, editor: changedBy } = change
  const next = { values: await change.edit(state), action, changedAt: isoMoment(storage.clock.now()), changedBy }
  const text = encodeSection(storage, target, { from, next })
  if (text === null) return state
  return (await replace(storage, target, { expected: from.text, text })) ? stateOf(decodeSection(storage, target, text)) : null
}

type Replacement = { readonly expected: string | null; readonly text: string | null }

async function replace({ documents, onChange }: SectionStorage, target: Target, { expected, text }: Replacement): Promise<boolean> {
  if (text === null || !(await documents.replace(nameOf(target), { expected, text }))) return false
  await onChange(target)
  return true
}

async function firstResult<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const result = await attempt()
    if (result !== null) return result
  }
  throw new AppError('OVERLOADED', { detail: 'Too many others are changing this configuration', data: { retryAfterSeconds: 1 } })
}

function stateOf<Name extends SectionName>({ values, document }: StoredSection<Name>): SectionState<Name> {
  return { values, history: document.history }
}

function assertVersion({ history }: SectionState, ifVersion: number | null | undefined): void {
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
