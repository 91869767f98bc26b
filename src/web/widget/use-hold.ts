import { useState } from 'preact/hooks'
import type { Client } from './client.ts'
import { type Failure, toFailure } from './failure.ts'
import type { Booking, Slot } from './model.ts'

export type Hold = {
  readonly busySlotId: string | null
  readonly failure: Failure | null
  readonly take: (slot: Slot) => Promise<void>
  readonly forget: () => void
}

/** Takes a slot for the visitor, one at a time. */
export function useHold(client: Client, onHeld: (booking: Booking) => void): Hold {
  const [busySlotId, setBusySlotId] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    busySlotId,
    failure,
    forget: () => setFailure(null),
    async take({ id }) {
      if (busySlotId !== null) return
      setBusySlotId(id)
      setFailure(null)
      try {
        onHeld(await client.hold(id))
      } catch (error) {
        setFailure(toFailure(error))
      } finally {
        setBusySlotId(null)
      }
    },
  }
}
