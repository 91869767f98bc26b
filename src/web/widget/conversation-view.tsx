import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Composer } from './composer.tsx'
import { Icon } from './icons.tsx'
import { type Message, textOf } from './message.ts'
import { MessageItem, type MessageActions } from './message-item.tsx'
import type { WidgetConfig } from './model.ts'
import { SpokenLog } from './spoken-log.tsx'
import type { Conversation, ConversationState } from './conversation.ts'
import { Trouble } from './trouble.tsx'

export type ConversationViewProps = {
  readonly config: WidgetConfig
  readonly conversation: Conversation
  readonly state: ConversationState
  readonly actions: MessageActions
  readonly onBook: () => void
}

/** The messages, suggested questions, and the field to write in. */
export function ConversationView({ config, conversation, state, actions, onBook }: ConversationViewProps): JSX.Element {
  const { messages, phase } = state
  const { log, isAtEnd, toEnd } = useStickyEnd(state)
  const isBusy = phase === 'WAITING' || phase === 'STREAMING' || phase === 'RECONNECTING'
  const greeting: Message = { id: 'greeting', role: 'assistant', parts: [{ kind: 'text', id: 'text', text: config.greeting }] }
  return (
    <div class="conversation">
      <section class="log" ref={log} tabIndex={0} aria-label="Conversation">
        <ol>
          {config.greeting !== '' && <MessageItem message={greeting} actions={actions} />}
          {messages.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              actions={actions}
              isStreaming={phase === 'STREAMING' && message === messages.at(-1)}
            />
          ))}
          {(phase === 'WAITING' || phase === 'RECONNECTING') && <Waiting isReconnecting={phase === 'RECONNECTING'} />}
        </ol>
        {messages.length === 0 && <Openers canBook={config.canBook} onBook={onBook} onAsk={(text) => conversation.send(text)} />}
        {phase === 'FAILED' && state.failure && <Trouble failure={state.failure} onRetry={() => conversation.retry()} />}
      </section>
      {!isAtEnd && (
        <button type="button" class="to-end" onClick={toEnd} aria-label="To the latest message">
          <Icon name="down" />
        </button>
      )}
      <SpokenLog lines={isBusy ? null : messages.flatMap((message) => (message.role === 'assistant' ? [spokenText(message)] : []))} />
      <Composer
        placeholder={config.placeholder}
        isBusy={isBusy}
        onSend={(text) => conversation.send(text)}
        onStop={() => conversation.stop()}
      />
    </div>
  )
}

function Waiting({ isReconnecting }: { readonly isReconnecting: boolean }): JSX.Element {
  return (
    <li class="message assistant">
      <p class="bubble waiting">
        <span class="dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <span role="status" class={isReconnecting ? '' : 'hidden'}>
          {isReconnecting ? 'Connecting again …' : 'An answer is being written'}
        </span>
      </p>
    </li>
  )
}

function Openers({ canBook, onBook, onAsk }: { canBook: boolean; onBook: () => void; onAsk: (text: string) => void }): JSX.Element {
  return (
    <div class="openers">
      {canBook && (
        <button type="button" class="chip" onClick={onBook}>
          <Icon name="calendar" /> Book a visit
        </button>
      )}
      <button type="button" class="chip" onClick={() => onAsk('Which doctors do you have?')}>
        Which doctors do you have?
      </button>
      <button type="button" class="chip" onClick={() => onAsk('I would like to speak to a person.')}>
        <Icon name="person" /> Speak to a person
      </button>
    </div>
  )
}

/** The text of a complete reply for screen readers. */
function spokenText(message: Message): string {
  const shown = message.parts.map((part) => {
    if (part.kind === 'doctors') return `${part.doctors.length} doctors are shown.`
    if (part.kind === 'slots') return `${part.list.slots.length} free times are shown.`
    return part.kind === 'booking' ? 'A visit is shown.' : ''
  })
  return [textOf(message), ...shown].filter(Boolean).join(' ')
}

/** Keeps the end of the log visible, unless the visitor has scrolled up. */
function useStickyEnd(state: ConversationState) {
  const log = useRef<HTMLElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  useEffect(() => {
    const element = log.current
    if (!element) return
    const update = (): void => setIsAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < 60)
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [])
  const toEnd = (): void => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  }
  const isOwn = state.messages.at(-1)?.role === 'user'
  useLayoutEffect(() => {
    if (isAtEnd || isOwn) toEnd()
  }, [state])
  return { log, isAtEnd, toEnd }
}
