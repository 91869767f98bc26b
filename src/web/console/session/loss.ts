import type { SessionLost } from '@call-center-sidecar/client'

/** Why a sign-in is over; null: the person signed out, or nobody knows. */
export type Loss = SessionLost['reason'] | null

/** Tabs tell it each other, because the tokens are gone for all when the first one gets to know it. A reload says it again. */
export const lossKey = 'console-loss'

const losses: readonly Loss[] = ['TAKEN_OVER', 'ENDED', 'EXPIRED']

export function readLoss(): Loss {
  return losses.find((loss) => loss === localStorage.getItem(lossKey)) ?? null
}

export function writeLoss(loss: Loss): void {
  if (loss === null) localStorage.removeItem(lossKey)
  else localStorage.setItem(lossKey, loss)
}
