import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { Store } from '../../ports/store.ts'
import { type DirectoryView, isFresh, pauseAfter, readView, viewSchema } from './directory-view.ts'
import type { Directory } from '../../ports/doctors.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import { slotAt } from '../../ports/visit-slot.ts'

/**
 * The doctors and visit slots of a workspace as visitors, managers and models read them: kept for all, read with the workspace's API key.
 * However many ask on however many instances, the platform gets at most 10 requests a minute and workspace.
 */
export type DoctorDirectory = {
  /**
   * From half a day ago to 15 days ahead, at most 1,400 slots, the earliest; 600 doctors. Mostly not older than 15 seconds (up to a minute
   * where there are many); where the platform does not answer, up to 10 minutes old. Errors: as the platform's, NOT_CONFIGURED without
   * an API key.
   */
  read(workspaceId: string): Promise<Directory>
  /** Something has changed: it is read anew as soon as that may be. With the slot's id it is shown as BOOKED from now on, on all instances. */
  forget(workspaceId: string, slotId?: string): void
}

export type DoctorDirectoryDeps = {
  readonly doctors: DoctorRecords
  readonly store: Store
  readonly notifications: Notifications
  readonly clock: Clock
}

type Known = {
  view: DirectoryView | null
  /** The view as it is shown until the next slot begins. */
  shown: { readonly of: DirectoryView; readonly directory: Directory; readonly until: number } | null
  reading: Promise<DirectoryView> | null
  /** What the last look failed with, and until when none is made. */
  fault: { readonly error: unknown; readonly until: number } | null
  changedAt: number
  nextTryAt: number
  /** Slots that were booked since the view was read. */
  readonly taken: Map<string, number>
}

const topic = 'doctors.changed'
const mostWorkspaces = 500
const mostTaken = 2_000
const keptMs = 600_000
const askAgainMs = 1_000
const lookEveryMs = 100
const longestWaitMs = 10_000
/** What is known of the cost before the first look: one request for doctors, one for slots. */
const leastRequests = 2

export function createDoctorDirectory({ doctors, store, notifications, clock }: DoctorDirectoryDeps): DoctorDirectory {
  const workspaces = new LRUCache<string, Known>({ max: mostWorkspaces })

  const knownOf = (workspaceId: string): Known => {
    const known = workspaces.get(workspaceId) ?? emptyKnown()
    workspaces.set(workspaceId, known)
    return known
  }

  const note = (known: Known, slotId: string): void => {
    known.changedAt = clock.now()
    known.shown = null
    if (slotId === '' || known.taken.size >= mostTaken) return
    known.taken.set(slotId, known.changedAt)
  }

  notifications.subscribe(topic, ({ workspaceId, payload }) => {
    const known = workspaces.peek(workspaceId)
    if (known && !known.taken.has(payload)) note(known, payload)
  })
  notifications.onGap(() => {
    for (const known of workspaces.values()) note(known, '')
  })

  const adopt = (known: Known, view: DirectoryView): DirectoryView => {
    if (known.view && known.view.readAt >= view.readAt) return known.view
    known.view = view
    known.fault = null
    for (const [slotId, takenAt] of known.taken) if (takenAt < view.readAt) known.taken.delete(slotId)
    return view
  }

  const shared = async (workspaceId: string): Promise<DirectoryView | null> => {
    const text = await store.get(viewKey(workspaceId)).catch(() => null)
    return text === null ? null : (viewSchema.safeParse(JSON.parse(text)).data ?? null)
  }

  /** Whether this instance may look at the platform now. Without the store each instance goes by itself. */
  const takeTurn = (workspaceId: string, holder: string, { view }: Known): Promise<boolean> =>
    store.setIfAbsent(turnKey(workspaceId), holder, { ttlMs: pauseAfter(view?.requests ?? leastRequests) }).catch(() => true)

  const look = async (workspaceId: string, known: Known, holder: string): Promise<DirectoryView> => {
    const until = clock.now() + pauseAfter(leastRequests)
    try {
      const view = await readView(doctors, workspaceId, clock)
      const pauseMs = pauseAfter(view.requests)
      known.nextTryAt = clock.now() + pauseMs
      // The pause counts from the last of the requests.
      await store.compareAndSet(turnKey(workspaceId), { expected: holder, value: holder, ttlMs: pauseMs }).catch(() => false)
      await store.set(viewKey(workspaceId), JSON.stringify(view), { ttlMs: keptMs }).catch(() => undefined)
      return adopt(known, view)
    } catch (error) {
      known.fault = { error, until }
      throw error
    }
  }

  /** The view of whoever has looked meanwhile, else by a look of this instance's own when it is its turn. */
  const renew = async (workspaceId: string, known: Known): Promise<DirectoryView> => {
    const stopAt = performance.now() + longestWaitMs
    const holder = newId()
    for (;;) {
      const theirs = await shared(workspaceId)
      if (theirs && isFresh(theirs, { now: clock.now(), changedAt: known.changedAt })) return adopt(known, theirs)
      if (await takeTurn(workspaceId, holder, known)) return look(workspaceId, known, holder)
      known.nextTryAt = clock.now() + askAgainMs
      if (theirs) return adopt(known, theirs)
      if (known.view) return known.view
      if (performance.now() > stopAt)
        throw new AppError('OVERLOADED', { detail: 'The doctors are being read', data: { retryAfterSeconds: 10 } })
      await delay(lookEveryMs)
    }
  }

  const renewOnce = (workspaceId: string, known: Known): Promise<DirectoryView> => {
    known.reading ??= renew(workspaceId, known).finally(() => {
      known.reading = null
    })
    return known.reading
  }

  return {
    async read(workspaceId) {
      const known = knownOf(workspaceId)
      const now = clock.now()
      const { view, fault } = known
      const isPaused = now < known.nextTryAt || (fault !== null && now < fault.until)
      if (view && now - view.readAt < keptMs) {
        if (!isPaused && !isFresh(view, { now, changedAt: known.changedAt })) renewOnce(workspaceId, known).catch(() => undefined)
        return shownAt(now, view, known)
      }
      if (fault && now < fault.until) throw fault.error
      return shownAt(now, await renewOnce(workspaceId, known), known)
    },
    forget(workspaceId, slotId = '') {
      note(knownOf(workspaceId), slotId)
      void notifications.publish({ topic, workspaceId, payload: slotId })
    },
  }
}

const viewKey = (workspaceId: string): string => `doctors:${workspaceId}`
const turnKey = (workspaceId: string): string => `doctors-turn:${workspaceId}`

function emptyKnown(): Known {
  return {
    view: null,
    shown: null,
    reading: null,
    fault: null,
    changedAt: Number.NEGATIVE_INFINITY,
    nextTryAt: Number.NEGATIVE_INFINITY,
    taken: new Map(),
  }
}

function shownAt(now: number, view: DirectoryView, known: Known): Directory {
  if (known.shown?.of === view && now < known.shown.until) return known.shown.directory
  const slots = view.slots.map((slot) => slotAt(known.taken.has(slot.id) ? { ...slot, state: 'BOOKED' } : slot, now))
  const next = slots.find(({ state }) => state !== 'PAST')
  const directory = { doctors: view.doctors, slots }
  known.shown = { of: view, directory, until: next ? Date.parse(next.startsAt) : Number.POSITIVE_INFINITY }
  return directory
}
