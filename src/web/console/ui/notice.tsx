import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import './badge.css'
import './notice.css'

const icons = { neutral: Info, info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const

export type NoticeProps = {
  readonly tone?: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** `alert` is read out at once, `status` when the person pauses. */
  readonly role?: 'alert' | 'status'
}

/** A message that stays where it belongs: in a form, above a list. */
export function Notice({ tone = 'info', title, children, actions, role }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div className={`ui-notice ui-tone-${tone}`} {...(role && { role })}>
      <Icon aria-hidden="true" />
      <div className="ui-notice-body">
        {title !== undefined && <p className="ui-notice-title">{title}</p>}
        {children}
      </div>
      {actions !== undefined && <div className="ui-notice-actions">{actions}</div>}
    </div>
  )
}
