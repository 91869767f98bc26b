import { AppError } from '../kernel/errors.ts'
import { createLimiters } from '../providers/store/rate-limiter.ts'
import type { Resolvers } from '../generated.ts'
import type { ChatUseCases } from '../server/widget/chat-operations.ts'
import type { WidgetUseCases } from '../server/widget/operations.ts'
import { createBookings } from '../features/widget/bookings.ts'
import { createConfirmBooking } from '../features/widget/confirm-booking.ts'
import { createCreateWidgetKey } from '../features/widget/create-widget-key.ts'
import { createDeleteWidgetKey } from '../features/widget/delete-widget-key.ts'
import { createHoldSlot } from '../features/widget/hold-slot.ts'
import { createOneAtATime } from '../features/widget/slot-lease.ts'
import { createReadAppearance } from '../features/widget/read-appearance.ts'
import { createReadOffer } from '../features/widget/read-availability.ts'
import { createReleaseSlot } from '../features/widget/release-slot.ts'
import { createWidgetResolvers } from '../features/widget/resolvers.ts'
import { createRotateWidgetKey } from '../features/widget/rotate-widget-key.ts'
import { createSlotHolds } from '../features/widget/slot-holds.ts'
import { createTokenBudget } from '../features/widget/token-budget.ts'
import { createReadContact, type ReadContact } from '../features/widget/visitor-contact.ts'
import { createVisitorLead, type VisitorLead } from '../features/widget/visitor-lead.ts'
import { createVisitorLimits, type VisitorLimits } from '../features/widget/visitor-limits.ts'
import { createWidgetKeys, type WidgetKeys } from '../features/widget/widget-keys.ts'
import { createChat } from './chat.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

/** The public widget: its keys, for managers, and what visitors may do. Disposing stops listening to news of keys. */
export type Widget = Disposable & {
  readonly resolvers: Resolvers
  readonly keys: WidgetKeys
  readonly limits: VisitorLimits
  readonly useCases: WidgetUseCases
}

export function createWidget(infrastructure: Infrastructure, ports: WiredPorts): Widget {
  const { audit, clock, store } = infrastructure
  const { configuration } = ports
  const keys = createWidgetKeys(infrastructure)
  const limits = createVisitorLimits(createLimiters(infrastructure))
  const visitors = { visitorLead: createVisitorLead(ports.records), readContact: createReadContact({ configuration }) }
  const visits = createVisits(infrastructure, ports, { limits, ...visitors })
  const budget = createTokenBudget({
    budgetOf: async (workspaceId) => (await configuration.read(workspaceId, 'widget')).dailyTokenBudget,
    store,
    clock,
  })
  return {
    keys,
    limits,
    resolvers: createWidgetResolvers({
      keys,
      createKey: createCreateWidgetKey({ keys, configuration, audit, clock }),
      rotateKey: createRotateWidgetKey({ keys, configuration, audit, clock }),
      deleteKey: createDeleteWidgetKey({ keys, audit }),
    }),
    useCases: {
      readAppearance: createReadAppearance({ configuration, hasModel: createHasModel(infrastructure, ports) }),
      ...visits,
      ...createChat(infrastructure, ports, { ...visits, ...visitors, limits, budget }),
    },
    [Symbol.dispose]: () => keys[Symbol.dispose](),
  }
}

/** What visitors may choose from, and how they book it. */
function createVisits(
  { store, clock }: Infrastructure,
  { configuration, doctorDirectory, records }: WiredPorts,
  visitors: { readonly limits: VisitorLimits; readonly visitorLead: VisitorLead; readonly readContact: ReadContact },
): Omit<WidgetUseCases, 'readAppearance' | keyof ChatUseCases> {
  const holds = createSlotHolds({ store, clock })
  const bookings = createBookings(store)
  const parts = { ...visitors, configuration, doctorDirectory, holds, bookings, clock }
  return {
    readOffer: createReadOffer(parts),
    holdSlot: createHoldSlot(parts),
    releaseSlot: createReleaseSlot(parts),
    confirmBooking: createConfirmBooking({ ...parts, doctors: records.doctors, oneAtATime: createOneAtATime(store) }),
  }
}

/** Who opens a page may soon chat: what that takes is loaded behind the answer. */
function createHasModel({ log }: Infrastructure, { languageModelOf }: WiredPorts): (workspaceId: string) => Promise<boolean> {
  return async (workspaceId) => {
    try {
      const model = await languageModelOf(workspaceId)
      model.prepare().catch((error: unknown) => log.error({ err: error }, 'a language model could not be loaded'))
      return true
    } catch (error) {
      if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return false
      throw error
    }
  }
}
