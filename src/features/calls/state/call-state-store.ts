import { type CallFacts, callFactsSchema } from '../../../ports/call-facts.ts'
import type { Positioned } from '../../../kernel/connection.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SortedMember } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'
import { type CallControls, callControlsSchema, noControls } from './call-controls.ts'
import { noteChangedCall } from './changed-calls.ts'
import { type KnownCall, knownCall, mergeFacts } from './call-facts.ts'

/**
 * What we know of calls, between the provider's updates and the platform's records. Facts are stored for a week. Every change is one
 * compare-and-set, so that concurrent instances and webhooks lose nothing. Errors of all functions: STORE_UNAVAILABLE.
 */

/** One call of a workspace; `ucid` is the provider's id of it. */
export type CallKey = { readonly workspaceId: string; readonly ucid: string }
/** `before` is null for a call that was unknown. */
export type CallChange = { readonly before: KnownCall | null; readonly after: KnownCall }

const day = 86_400_000
/** A call without a known end does not stay live for ever. */
const maxCallMs = day / 2
const maxLive = 2_000
const startedTtlMs = 2 * day
/** Calls per read: the event loop is free in between. */
const readBatch = 250

export const storedCalls = new Family({
  name: 'call',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: callFactsSchema,
  lifetime: 7 * day,
  about: 'call',
  what: 'what is known of a call: numbers, agent, lead',
})

export const storedControls = new Family({
  name: 'call-controls',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: callControlsSchema,
  lifetime: 7 * day,
  about: 'call',
  what: 'hold and mute of a call',
})

/** By when they began. */
export const liveCalls = new SortedList({
  name: 'calls-live',
  key: (workspaceId: string) => [workspaceId],
  lifetime: day,
  about: 'call',
  what: 'calls that are live',
})

/** By when they began. */
export const startedCalls = new SortedList({
  name: 'calls-started',
  key: (workspaceId: string) => [workspaceId],
  lifetime: startedTtlMs,
  about: 'call',
  what: 'calls by their start',
})

/** As they are stored; null for an unknown call. */
export async function readFacts(ports: Pick<Ports, 'store'>, call: CallKey): Promise<CallFacts | null> {
  return storedCalls.read(ports, call)
}

/** As they are stored, in the order of the UCIDs; null for an unknown call. */
export async function readManyFacts(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  ucids: readonly string[],
): Promise<readonly (CallFacts | null)[]> {
  return storedCalls.readMany(
    ports,
    ucids.map((ucid) => ({ workspaceId, ucid })),
  )
}

/** Null for an unknown call. Unlike one of many, it throws if its facts are in another form: nobody may take it for unknown. */
export async function readCall(ports: Pick<Ports, 'store'>, call: CallKey): Promise<KnownCall | null> {
  const facts = await storedCalls.read(ports, call)
  return facts && knownCall(call.ucid, facts)
}

/** In the order of the UCIDs; null for an unknown call. */
export async function readCalls(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  ucids: readonly string[],
): Promise<readonly (KnownCall | null)[]> {
  const facts = await readManyFacts(ports, workspaceId, ucids)
  return ucids.map((ucid, index) => {
    const known = facts[index]
    return known ? knownCall(ucid, known) : null
  })
}

/** Merges facts into what we know of the call. Repeatable. */
export async function addCallFacts(ports: Pick<Ports, 'store' | 'clock'>, call: CallKey, facts: CallFacts): Promise<CallChange> {
  const next = (known: CallFacts | null): CallFacts => mergeFacts(known ?? {}, facts)
  const { before, after } = await storedCalls.change(ports, call, {
    next,
    prepare: (old, facts) =>
      noteFormerStart(ports, call.workspaceId, { former: old && knownCall(call.ucid, old), known: knownCall(call.ucid, facts) }),
  })
  const known = knownCall(call.ucid, after)
  await indexLive(ports, call, known)
  await indexStarted(ports, call, { known, isNew: before === null })
  const former = before && knownCall(call.ucid, before)
  await noteChangedCall(ports, call.workspaceId, known)
  // Once more: the note from before the change may have been counted already.
  await noteFormerStart(ports, call.workspaceId, { former, known })
  return { before: former, after: known }
}

/** Calls that ring or are answered now, the oldest first, at most 2,000. */
export async function readLiveCalls(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<readonly KnownCall[]> {
  await liveCalls.trim(ports, workspaceId, ports.clock.now() - maxCallMs)
  const members = await liveCalls.range(ports, workspaceId, { limit: maxLive })
  const ucids = members.map(({ member }) => member)
  return (await readCalls(ports, workspaceId, ucids)).filter((call) => call !== null).filter(isLive)
}

/** Calls that started in this time (epoch milliseconds, both ends included), of the last two days, the oldest first. Reads some at a time. */
export async function* readCallsStarted(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<KnownCall> {
  const read = (ucids: readonly string[]) => readCalls(ports, workspaceId, ucids)
  for (let after: SortedMember | null = { score: from, member: '' }; after;) {
    const page: readonly Positioned<KnownCall, SortedMember>[] = await startedCalls.page(ports, workspaceId, {
      order: 1,
      after,
      count: readBatch,
      read,
    })
    for (const { node, position } of page) {
      if (position.score > to) return
      yield node
    }
    after = page.length < readBatch ? null : (page.at(-1)?.position ?? null)
  }
}

export async function readControls(ports: Pick<Ports, 'store'>, call: CallKey): Promise<CallControls> {
  return (await storedControls.read(ports, call)) ?? noControls
}

export async function writeControls(ports: Pick<Ports, 'store'>, call: CallKey, controls: CallControls): Promise<void> {
  await storedControls.write(ports, call, { value: controls, lifetime: maxCallMs })
}

async function indexLive(ports: Pick<Ports, 'store' | 'clock'>, { workspaceId }: CallKey, call: KnownCall): Promise<void> {
  const { ucid: member, startedAt } = call
  const score = startedAt === null ? ports.clock.now() : Date.parse(startedAt)
  if (isLive(call)) await liveCalls.add(ports, workspaceId, { member, score })
  else await liveCalls.remove(ports, workspaceId, member)
}

type Started = { readonly known: KnownCall; readonly isNew: boolean }

async function indexStarted(
  ports: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, ucid }: CallKey,
  { known: { startedAt }, isNew }: Started,
): Promise<void> {
  if (isNew) await startedCalls.trim(ports, workspaceId, ports.clock.now() - startedTtlMs)
  if (startedAt !== null) await startedCalls.add(ports, workspaceId, { member: ucid, score: Date.parse(startedAt) })
}

type Noted = { readonly former: KnownCall | null; readonly known: KnownCall }

/** The history has counted the call there. */
async function noteFormerStart(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, { former, known }: Noted): Promise<void> {
  if (former && former.startedAt !== known.startedAt) await noteChangedCall(ports, workspaceId, former)
}

/** Whether it rings or goes on. */
export function isLive({ phase }: Pick<KnownCall, 'phase'>): boolean {
  return phase === 'RINGING' || phase === 'ANSWERED'
}
