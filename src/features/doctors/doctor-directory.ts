import { scaled } from '../../kernel/deadlines.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { createSingleFlight, type SingleFlight } from '../../kernel/single-flight.ts'
import { type Directory, type DoctorDirectory, slotAt } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import { type DirectoryView, isFresh, pauseAfter, readView, viewSchema } from './directory-view.ts'
import { Family } from '../../ports/stored/family.ts'

type DirectoryPorts = Pick<Ports, 'doctorRecords' | 'store' | 'notifications' | 'clock'>

/** One workspace in this process's cache. */
type CacheEntry = {
  readonly workspaceId: string
  view: DirectoryView | null
  /** The view as readers get it; valid until the next slot begins. */
  current: { readonly of: DirectoryView; readonly directory: Directory; readonly until: number } | null
  /** The error of the last read, and until when readers get it without a new read. */
  failure: { readonly error: unknown; readonly until: number } | null
  changedAt: number
  nextTryAt: number
  /** Slots that were booked after the view was read, with the moment of the booking. */
  readonly booked: Map<string, number>
}

type Cache = { readonly ports: DirectoryPorts; readonly reads: SingleFlight<DirectoryView> }

const topic = 'doctors.changed'
const maxWorkspaces = 500
const maxBooked = 2_000
const cachedMs = 600_000
const retryAfterMs = 1_000
const pollMs = 100
const maxWaitMs = 10_000
/** The assumed cost before the first read: one request for doctors, one for slots. */
const leastRequests = 2
const hourMs = 3_600_000

export const sharedViews = new Family({
  name: 'doctors',
  key: (workspaceId: string) => [workspaceId],
  schema: viewSchema,
  unreadable: 'ABSENT',
  lifetime: hourMs,
  about: 'workspace',
  what: "the workspace's doctors and free times",
})

/** Who may read the platform now: it ends when the rate limit allows the next reading. */
export const readPermits = new Family({
  name: 'doctors-read',
  key: (workspaceId: string) => [workspaceId],
  schema: z.string(),
  form: 'TEXT',
  lifetime: hourMs,
  about: 'nothing',
  what: 'a reading of the doctors under way',
})

/** Reads each workspace with its API key, at most 10 requests a minute over all instances, and shares the result through the store. */
export function createDoctorDirectory(ports: DirectoryPorts): DoctorDirectory {
  const entries = new LRUCache<string, CacheEntry>({ max: maxWorkspaces })
  const cache: Cache = { ports, reads: createSingleFlight() }
  const entryOf = (workspaceId: string): CacheEntry => {
    const entry = entries.get(workspaceId) ?? newEntry(workspaceId)
    entries.set(workspaceId, entry)
    return entry
  }
  ports.notifications.subscribe(topic, ({ workspaceId, payload }) => {
    const entry = entries.peek(workspaceId)
    if (entry && !entry.booked.has(payload)) markChanged(entry, payload, ports.clock.now())
  })
  ports.notifications.onGap(() => {
    for (const entry of entries.values()) markChanged(entry, '', ports.clock.now())
  })
  return {
    read: (workspaceId) => readEntry(cache, entryOf(workspaceId)),
    invalidate(workspaceId, slotId = '') {
      markChanged(entryOf(workspaceId), slotId, ports.clock.now())
      void ports.notifications.publish({ topic, workspaceId, payload: slotId })
    },
  }
}

async function readEntry(cache: Cache, entry: CacheEntry): Promise<Directory> {
  const now = cache.ports.clock.now()
  const { view, failure } = entry
  const isPaused = now < entry.nextTryAt
  if (view && now - view.readAt < cachedMs) {
    if (!isPaused && !isFresh(view, { now, changedAt: entry.changedAt })) refresh(cache, entry).catch(() => undefined)
    return directoryAt(now, view, entry)
  }
  if (failure && now < failure.until) throw failure.error
  return directoryAt(now, await refresh(cache, entry), entry)
}

function refresh(cache: Cache, entry: CacheEntry): Promise<DirectoryView> {
  return cache.reads.run(entry.workspaceId, () => sharedOrOwnView(cache.ports, entry))
}

/** The view that another instance has read meanwhile; else this instance reads the platform as soon as it may. */
async function sharedOrOwnView(ports: DirectoryPorts, entry: CacheEntry): Promise<DirectoryView> {
  const { clock } = ports
  const stopAt = performance.now() + scaled(maxWaitMs)
  const holder = newId()
  for (;;) {
    const shared = await readShared(ports, entry.workspaceId)
    if (shared && isFresh(shared, { now: clock.now(), changedAt: entry.changedAt })) return adopt(entry, shared)
    if (await takePermit(ports, entry, holder)) {
      return readPlatform(ports, entry, holder).catch((error: unknown) => {
        // An instance that has just started has no view of its own, but another one may have.
        if (shared && clock.now() - shared.readAt < cachedMs) return adopt(entry, shared)
        throw error
      })
    }
    entry.nextTryAt = clock.now() + retryAfterMs
    if (shared) return adopt(entry, shared)
    if (entry.view) return entry.view
    if (performance.now() > stopAt)
      throw new AppError('OVERLOADED', { detail: 'The doctors are being read', data: { retryAfterSeconds: 10 } })
    await delay(pollMs)
  }
}

async function readPlatform(ports: DirectoryPorts, entry: CacheEntry, holder: string): Promise<DirectoryView> {
  const { doctorRecords, clock } = ports
  const { workspaceId } = entry
  const until = clock.now() + pauseAfter(leastRequests)
  try {
    const view = await readView(doctorRecords, workspaceId, clock)
    const pauseMs = pauseAfter(view.requests)
    entry.nextTryAt = clock.now() + pauseMs
    // The pause counts from the last of the requests.
    const version = readPermits.versionOf(holder)
    await readPermits.replace(ports, workspaceId, { version, value: holder, lifetime: pauseMs }).catch(() => null)
    await sharedViews.write(ports, workspaceId, { value: view, lifetime: cachedMs }).catch(() => undefined)
    return adopt(entry, view)
  } catch (error) {
    entry.nextTryAt = until
    entry.failure = { error, until }
    throw error
  }
}

/** Whether this instance may read the platform now: the permit expires when the rate limit allows the next read. Without the store, always. */
function takePermit(ports: DirectoryPorts, { workspaceId, view }: CacheEntry, holder: string): Promise<boolean> {
  const lifetime = pauseAfter(view?.requests ?? leastRequests)
  return readPermits.writeNew(ports, workspaceId, { value: holder, lifetime }).catch(() => true)
}

function readShared(ports: DirectoryPorts, workspaceId: string): Promise<DirectoryView | null> {
  return sharedViews.read(ports, workspaceId).catch(() => null)
}

function adopt(entry: CacheEntry, view: DirectoryView): DirectoryView {
  if (entry.view && entry.view.readAt >= view.readAt) return entry.view
  entry.view = view
  entry.failure = null
  for (const [slotId, bookedAt] of entry.booked) if (bookedAt < view.readAt) entry.booked.delete(slotId)
  return view
}

function markChanged(entry: CacheEntry, slotId: string, now: number): void {
  entry.changedAt = now
  entry.current = null
  if (slotId !== '' && entry.booked.size < maxBooked) entry.booked.set(slotId, now)
}

function directoryAt(now: number, view: DirectoryView, entry: CacheEntry): Directory {
  if (entry.current?.of === view && now < entry.current.until) return entry.current.directory
  const slots = view.slots.map((slot) => slotAt(entry.booked.has(slot.id) ? { ...slot, state: 'BOOKED' } : slot, now))
  const next = slots.find(({ state }) => state !== 'PAST')
  const directory = { doctors: view.doctors, slots }
  entry.current = { of: view, directory, until: next ? Date.parse(next.startsAt) : Number.POSITIVE_INFINITY }
  return directory
}

function newEntry(workspaceId: string): CacheEntry {
  return {
    workspaceId,
    view: null,
    current: null,
    failure: null,
    changedAt: Number.NEGATIVE_INFINITY,
    nextTryAt: Number.NEGATIVE_INFINITY,
    booked: new Map(),
  }
}
