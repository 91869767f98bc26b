import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { BookedView } from './booked-view.tsx'
import type { Client } from './client.ts'
import { DoctorsView } from './doctors-view.tsx'
import { Header } from './header.tsx'
import { Icon } from './icons.tsx'
import type { Booking, Doctor, WidgetConfig } from './model.ts'
import { onOpeners } from './openers.ts'
import { Panel } from './panel.tsx'
import type { Held, SessionStore } from './session.ts'
import { SlotsView } from './slots-view.tsx'
import type { Talk } from './talk.ts'
import { TalkView } from './talk-view.tsx'
import { Trouble } from './trouble.tsx'
import { useHold } from './use-hold.ts'
import { useIsOnline, useTalk } from './use-talk.ts'
import { VisitView } from './visit-view.tsx'

type View =
  | { readonly name: 'talk' }
  | { readonly name: 'doctors' }
  | { readonly name: 'slots'; readonly doctorId: string | null; readonly doctor: Doctor | null }
  /** `isOffered`: the talk shows it too, so that going back keeps it. */
  | { readonly name: 'visit'; readonly booking: Booking; readonly isOffered: boolean }
  | { readonly name: 'booked'; readonly booking: Booking }

export type AppProps = { readonly client: Client; readonly config: WidgetConfig; readonly session: SessionStore; readonly talk: Talk }

const titleId = 'title'

/** The widget: the button in the corner, and behind it the talk and the way to a visit. */
export function App({ client, config, session, talk }: AppProps): JSX.Element {
  const root: View = config.canChat ? { name: 'talk' } : { name: 'doctors' }
  const [isOpen, setIsOpen] = useState(session.read().isOpen)
  const [takesFocus, setTakesFocus] = useState(false)
  const [wasOpened, setWasOpened] = useState(isOpen)
  const [views, setViews] = useState(() => firstViews(root, config.canBook ? session.read().held : null, client.now()))
  const [round, setRound] = useState(0)
  const state = useTalk(talk)
  const isOnline = useIsOnline()
  const opener = useRef<HTMLElement | null>(null)
  const launcher = useRef<HTMLButtonElement>(null)
  const view = views.at(-1) ?? root

  const go = (next: View): void => {
    setTakesFocus(true)
    setViews((before) => [...before, next])
  }
  const hold = useHold(client, (booking) => go({ name: 'visit', booking, isOffered: false }))
  const back = (): void => {
    if (view.name === 'visit' && !view.isOffered) client.release(view.booking.id)
    hold.forget()
    setViews((before) => (before.length > 1 && view.name !== 'booked' ? before.slice(0, -1) : [root]))
  }
  const beginAnew = (): void => {
    talk.beginAnew()
    setRound((before) => before + 1)
  }
  const otherTime = (): void => {
    if (view.name === 'visit' && view.isOffered) client.release(view.booking.id)
    back()
  }
  /** `at` is where to begin, or null for where the visitor was; a time that is held is not left. */
  const open = (from: HTMLElement | null, at: View | null): void => {
    opener.current = from
    if (at) setViews((before) => (before.at(-1)?.name === 'visit' ? before : at.name === root.name ? [root] : [root, at]))
    setTakesFocus(true)
    setWasOpened(true)
    setIsOpen(true)
  }
  const close = (): void => setIsOpen(false)

  useEffect(() => session.write({ isOpen }), [isOpen])
  useEffect(() => session.write({ held: view.name === 'visit' ? { booking: view.booking, isOffered: view.isOffered } : null }), [view])
  useEffect(() => onOpeners((from, wantsVisit) => open(from, wantsVisit && config.canBook ? { name: 'doctors' } : root)), [])
  // The focus goes back to where it came from.
  useEffect(() => {
    if (isOpen || !takesFocus) return
    const target = opener.current?.isConnected ? opener.current : launcher.current
    target?.focus()
  }, [isOpen])

  const booked = (booking: Booking): void => {
    talk.show(booking)
    setViews([root, { name: 'booked', booking }])
  }
  const title = config.hospitalName ?? (config.canChat ? 'Chat with us' : 'Book a visit')
  const showSlots = (doctorId: string | null, doctor: Doctor | null): void => go({ name: 'slots', doctorId, doctor })

  return (
    <div class={config.position === 'LEFT' ? 'widget left' : 'widget right'} lang="en">
      <button
        ref={launcher}
        type="button"
        class="launcher"
        hidden={isOpen}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => open(null, null)}
      >
        <Icon name={config.canChat ? 'talk' : 'calendar'} />
        <span>{config.canChat ? 'Chat with us' : 'Book a visit'}</span>
      </button>
      <Panel isOpen={isOpen} titleId={titleId} shown={`${views.length} ${view.name} ${round}`} takesFocus={takesFocus} onClose={close}>
        {wasOpened && (
          <>
            <Header
              titleId={titleId}
              title={title}
              logoUrl={config.logoUrl}
              isOnline={isOnline}
              onBack={views.length > 1 ? back : null}
              onBeginAnew={view.name === 'talk' && state.messages.length > 0 ? beginAnew : null}
              onClose={close}
            />
            {view.name === 'talk' && hold.failure && <Trouble failure={hold.failure} />}
            {config.canChat && (
              <div class="layer" hidden={view.name !== 'talk'}>
                <TalkView
                  config={config}
                  talk={talk}
                  state={state}
                  onBook={() => go({ name: 'doctors' })}
                  actions={{
                    onDoctor: (doctor) => showSlots(doctor.id, doctor),
                    onSlot: (slot) => void hold.take(slot),
                    onMoreSlots: (doctorId) => showSlots(doctorId, null),
                    onBooking: (booking) => go({ name: 'visit', booking, isOffered: true }),
                    busySlotId: hold.busySlotId,
                    now: () => client.now(),
                  }}
                />
              </div>
            )}
            {view.name === 'doctors' && <DoctorsView client={client} onChoose={(doctor) => showSlots(doctor.id, doctor)} />}
            {view.name === 'slots' && (
              <SlotsView
                client={client}
                doctor={view.doctor}
                doctorId={view.doctorId}
                hold={hold}
                onChoose={(slot) => void hold.take(slot)}
              />
            )}
            {view.name === 'visit' && <VisitView client={client} booking={view.booking} onBooked={booked} onOtherTime={otherTime} />}
            {view.name === 'booked' && <BookedView booking={view.booking} hospitalName={title} onDone={back} />}
            <p class="small-print">
              {config.canChat && view.name === 'talk' ? 'Answers come from an AI assistant and can be wrong. ' : ''}
              In an emergency, call your local emergency number.
            </p>
          </>
        )}
      </Panel>
    </div>
  )
}

/** Where a page begins: at the time that this tab still holds, with the way back that led to it, else at `root`. `now` in ms. */
function firstViews(root: View, held: Held | null, now: number): readonly View[] {
  if (held === null || Date.parse(held.booking.heldUntil ?? '') <= now) return [root]
  const { booking, isOffered } = held
  const visit: View = { name: 'visit', booking, isOffered }
  return isOffered ? [root, visit] : [root, { name: 'slots', doctorId: booking.slot.doctorId, doctor: booking.doctor }, visit]
}
