import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useSetupTexts } from './texts.ts'

/** A text for another place: an address, a piece of a page. */
export function CopiedText({ text }: { readonly text: string }) {
  const texts = useSetupTexts()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Without the right to the clipboard, the person selects the text.
    }
  }
  return (
    <div className="setup-copy">
      <code>{text}</code>
      <Button size="s" icon={isCopied ? <Check /> : <Copy />} onPress={() => void copy()}>
        {isCopied ? texts.copied : texts.copy}
      </Button>
    </div>
  )
}
