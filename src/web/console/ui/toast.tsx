import { X } from 'lucide-react'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import type { Tone } from './badge.tsx'
import { Button } from './button.tsx'
import { useUiTexts } from './texts.ts'
import './badge.css'
import './toast.css'

type Message = { readonly tone: Tone; readonly title: string; readonly text?: string }

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 })

/** A message about what the person just did. Failures stay until they are closed. */
export function showToast(message: Message): void {
  queue.add(message, message.tone === 'bad' ? {} : { timeout: 6_000 })
}

export function Toasts() {
  const texts = useUiTexts()
  return (
    <ToastRegion queue={queue} className="ui-toasts">
      {({ toast }) => (
        <Toast toast={toast} className={`ui-toast ui-tone-${toast.content.tone}`}>
          <ToastContent className="ui-toast-body">
            <Text slot="title" className="ui-toast-title">
              {toast.content.title}
            </Text>
            {toast.content.text !== undefined && <Text slot="description">{toast.content.text}</Text>}
          </ToastContent>
          <Button slot="close" look="quiet" size="s" icon={<X />} aria-label={texts.dismiss} />
        </Toast>
      )}
    </ToastRegion>
  )
}
