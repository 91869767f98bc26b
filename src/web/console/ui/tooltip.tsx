import type { ReactElement } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import './tooltip.css'

/** Says what a button without words does. The button still needs its `aria-label`. */
export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactElement }) {
  return (
    <TooltipTrigger delay={400}>
      {children}
      <AriaTooltip className="ui-tooltip" offset={6}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
