import { X } from 'lucide-react'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { Button } from './button.tsx'
import { useUiTexts } from './texts.ts'
import { toastQueue } from './toast.ts'
import './badge.css'
import './toast.css'

/** Shows the toasts. Once, in the shell. */
export function Toasts() {
  const texts = useUiTexts()
  return (
    <ToastRegion queue={toastQueue} className="ui-toasts">
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
