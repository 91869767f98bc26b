import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { BookedView } from './booked-view.tsx'
import type { Client } from './client.ts'
import type { Conversation, ConversationState } from './conversation.ts'
import { ConversationView } from './conversation-view.tsx'
import { DoctorsView } from './doctors-view.tsx'
import { Header } from './header.tsx'
import { Icon } from './icons.tsx'
import type { WidgetConfig } from './model.ts'
import { onOpeners } from './openers.ts'
import { Panel } from './panel.tsx'
import type { SessionStore } from './session.ts'
import { SlotsView } from './slots-view.tsx'
import { Trouble } from './trouble.tsx'
import { useConversation, useIsOnline } from './use-conversation.ts'
import { type Opening, useOpening } from './use-opening.ts'
import { useViews, type Views } from './use-views.ts'
import type { View } from './views.ts'
import { VisitView } from './visit-view.tsx'

export type AppProps = {
  readonly client: Client
  readonly config: WidgetConfig
  readonly session: SessionStore
  readonly conversation: Conversation
}

const titleId = 'title'

/** The widget: the button in the corner, and the panel with the conversation and the booking of a visit. */
export function App({ client, config, session, conversation }: AppProps): JSX.Element {
  const opening = useOpening(session)
  const views = useViews({ client, config, session, conversation, onGo: opening.takeFocus })
  const [round, setRound] = useState(0)
  const state = useConversation(conversation)
  const isOnline = useIsOnline()
  const { view } = views

  const open = (from: HTMLElement | null, at: View | null): void => {
    views.openAt(at)
    opening.open(from)
  }
  const startOver = (): void => {
    conversation.startOver()
    setRound((before) => before + 1)
  }
  useEffect(() => onOpeners((from, wantsVisit) => open(from, wantsVisit && config.canBook ? { name: 'doctors' } : views.root)), [])
  const title = config.hospitalName ?? (config.canChat ? 'Chat with us' : 'Book a visit')
  const shown = `${views.depth} ${view.name} ${round}`
  return (
    <div class={config.position === 'LEFT' ? 'widget left' : 'widget right'} lang="en">
      <Launcher opening={opening} canChat={config.canChat} onOpen={() => open(null, null)} />
      <Panel isOpen={opening.isOpen} titleId={titleId} shown={shown} takesFocus={opening.takesFocus} onClose={opening.close}>
        {opening.wasOpened && (
          <>
            <Header
              titleId={titleId}
              title={title}
              logoUrl={config.logoUrl}
              isOnline={isOnline}
              onBack={views.depth > 1 ? views.back : null}
              onStartOver={view.name === 'conversation' && state.messages.length > 0 ? startOver : null}
              onClose={opening.close}
            />
            {view.name === 'conversation' && views.hold.failure && <Trouble failure={views.hold.failure} />}
            {config.canChat && (
              <ConversationLayer client={client} config={config} conversation={conversation} state={state} views={views} />
            )}
            <BookingViews client={client} title={title} views={views} />
            <p class="small-print">
              {config.canChat && view.name === 'conversation' ? 'Answers come from an AI assistant and can be wrong. ' : ''}
              In an emergency, call your local emergency number.
            </p>
          </>
        )}
      </Panel>
    </div>
  )
}

type LauncherProps = { readonly opening: Opening; readonly canChat: boolean; readonly onOpen: () => void }

function Launcher({ opening, canChat, onOpen }: LauncherProps): JSX.Element {
  return (
    <button
      ref={opening.launcher}
      type="button"
      class="launcher"
      hidden={opening.isOpen}
      aria-haspopup="dialog"
      aria-expanded={opening.isOpen}
      onClick={onOpen}
    >
      <Icon name={canChat ? 'conversation' : 'calendar'} />
      <span>{canChat ? 'Chat with us' : 'Book a visit'}</span>
    </button>
  )
}

type LayerProps = Pick<AppProps, 'client' | 'config' | 'conversation'> & { readonly state: ConversationState; readonly views: Views }

/** Hidden, not removed, behind other views, so that it keeps its scroll position and the text in its field. */
function ConversationLayer({ client, config, conversation, state, views }: LayerProps): JSX.Element {
  return (
    <div class="layer" hidden={views.view.name !== 'conversation'}>
      <ConversationView
        config={config}
        conversation={conversation}
        state={state}
        onBook={() => views.go({ name: 'doctors' })}
        actions={{
          onDoctor: (doctor) => views.goToSlots(doctor.id, doctor),
          onSlot: (slot) => void views.hold.take(slot),
          onMoreSlots: (doctorId) => views.goToSlots(doctorId, null),
          onBooking: (booking) => views.go({ name: 'visit', booking, isProposed: true }),
          busySlotId: views.hold.busySlotId,
          now: () => client.now(),
        }}
      />
    </div>
  )
}

type BookingViewsProps = { readonly client: Client; readonly title: string; readonly views: Views }

function BookingViews({ client, title, views }: BookingViewsProps): JSX.Element | null {
  const { view, hold } = views
  switch (view.name) {
    case 'conversation':
      return null
    case 'doctors':
      return <DoctorsView client={client} onChoose={(doctor) => views.goToSlots(doctor.id, doctor)} />
    case 'slots':
      return (
        <SlotsView client={client} doctor={view.doctor} doctorId={view.doctorId} hold={hold} onChoose={(slot) => void hold.take(slot)} />
      )
    case 'visit':
      return <VisitView client={client} booking={view.booking} onBooked={views.showBooked} onOtherTime={views.chooseOtherTime} />
    case 'booked':
      return <BookedView booking={view.booking} hospitalName={title} onDone={views.back} />
  }
}
