import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

const longestMessage = 2_000

export type ComposerProps = {
  readonly placeholder: string
  readonly isBusy: boolean
  readonly onSend: (text: string) => void
  readonly onStop: () => void
}

/** Where the visitor writes. Enter sends, Shift and Enter begin a line; while a reply comes, the button stops it. */
export function Composer({ placeholder, isBusy, onSend, onStop }: ComposerProps): JSX.Element {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const canSend = text.trim() !== '' && !isBusy
  const send = (): void => {
    field.current?.focus()
    if (!canSend) return
    setText('')
    onSend(text.trim())
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div class="field">
        {/* Behind the field, the same text: it gives the field its height. */}
        <div class="grow" aria-hidden="true">{`${text}\u200b`}</div>
        <textarea
          ref={field}
          rows={1}
          maxLength={longestMessage}
          value={text}
          placeholder={placeholder}
          aria-label="Your message"
          dir="auto"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            send()
          }}
        />
      </div>
      {isBusy ? (
        <button type="button" class="round" onClick={onStop} aria-label="Stop the reply">
          <Icon name="stop" />
        </button>
      ) : (
        <button type="submit" class="round" aria-label="Send" aria-disabled={!canSend}>
          <Icon name="send" />
        </button>
      )}
      {text.length > longestMessage * 0.9 && <p class="count">{`${longestMessage - text.length} characters left`}</p>}
    </form>
  )
}
