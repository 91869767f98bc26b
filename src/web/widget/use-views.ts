import { useEffect, useState } from 'preact/hooks'
import type { Client } from './client.ts'
import type { Conversation } from './conversation.ts'
import type { Booking, Doctor, WidgetConfig } from './model.ts'
import type { SessionStore } from './session.ts'
import { type Hold, useHold } from './use-hold.ts'
import { firstViews, openedAt, previousViews, type View } from './views.ts'

export type Views = {
  readonly root: View
  readonly view: View
  readonly depth: number
  readonly hold: Hold
  readonly go: (next: View) => void
  readonly goToSlots: (doctorId: string | null, doctor: Doctor | null) => void
  /** Back to the previous view; releases a held time that the conversation does not show. */
  readonly back: () => void
  /** Back, and releases the held time. */
  readonly chooseOtherTime: () => void
  readonly openAt: (view: View | null) => void
  readonly showBooked: (booking: Booking) => void
}

/** The views of the panel, as a stack. */
export function useViews({
  client,
  config,
  session,
  conversation,
  onGo,
}: {
  readonly client: Client
  readonly config: WidgetConfig
  readonly session: SessionStore
  readonly conversation: Conversation
  /** Called when the visitor goes to another view. */
  readonly onGo: () => void
}): Views {
  const root: View = config.canChat ? { name: 'conversation' } : { name: 'doctors' }
  const [views, setViews] = useState(() => firstViews(root, config.canBook ? session.read().held : null, client.now()))
  const view = views.at(-1) ?? root
  const go = (next: View): void => {
    onGo()
    setViews((before) => [...before, next])
  }
  const hold = useHold(client, (booking) => go({ name: 'visit', booking, isProposed: false }))
  const back = (): void => {
    if (view.name === 'visit' && !view.isProposed) client.release(view.booking.id)
    hold.forget()
    setViews((before) => previousViews(before, root))
  }
  useEffect(() => session.write({ held: view.name === 'visit' ? { booking: view.booking, isProposed: view.isProposed } : null }), [view])
  return {
    root,
    view,
    depth: views.length,
    hold,
    go,
    goToSlots: (doctorId, doctor) => go({ name: 'slots', doctorId, doctor }),
    back,
    chooseOtherTime() {
      if (view.name === 'visit' && view.isProposed) client.release(view.booking.id)
      back()
    },
    openAt: (at) => setViews((before) => openedAt(before, at, root)),
    showBooked(booking) {
      conversation.show(booking)
      setViews([root, { name: 'booked', booking }])
    },
  }
}
