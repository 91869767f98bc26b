import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'
import type { Tone } from './badge.tsx'

type Message = { readonly tone: Tone; readonly title: string; readonly text?: string }

export const toastQueue = new ToastQueue<Message>({ maxVisibleToasts: 3 })

/** A message about what the person just did. Failures stay until they are closed. */
export function showToast(message: Message): void {
  toastQueue.add(message, message.tone === 'bad' ? {} : { timeout: 6_000 })
}
