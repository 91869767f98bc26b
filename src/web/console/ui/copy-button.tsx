import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { useUiTexts } from './texts.ts'
import { showToast } from './toast.ts'

type CopyButtonProps = Pick<ButtonProps, 'look' | 'size'> & {
  readonly text: string
  /** Left out: the button is an icon, whose name is `name`. */
  readonly children?: string
  /** What is copied, for the name of an icon. */
  readonly name?: string
}

const shownMs = 2_000

/** Puts a text onto the clipboard, and says so. */
export function CopyButton({ text, children, name = '', ...props }: CopyButtonProps) {
  const texts = useUiTexts()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  // Without TLS a browser has no clipboard.
  const fail = (): void => showToast({ tone: 'warn', title: texts.notCopied })
  const copy = (): void => {
    if (window.isSecureContext) navigator.clipboard.writeText(text).then(() => setCopied(true), fail)
    else fail()
  }
  return (
    <>
      <Button
        {...props}
        icon={isCopied ? <Check /> : <Copy />}
        onPress={copy}
        {...(children === undefined ? { 'aria-label': texts.copyOf(name) } : { children })}
      />
      <span className="visually-hidden" role="status">
        {isCopied ? texts.copied : ''}
      </span>
    </>
  )
}
