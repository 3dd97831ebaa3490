import { Monitor, TriangleAlert } from 'lucide';
import type { ReactNode } from 'react';

import { Avatar } from '../src/ui/avatar/Avatar.js';
import { Badge } from '../src/ui/badge/Badge.js';
import { Banner } from '../src/ui/banner/Banner.js';
import { Button } from '../src/ui/button/Button.js';
import { CopyField } from '../src/ui/copy/CopyField.js';
import { CopyTextButton } from '../src/ui/copy/CopyButton.js';
import { Diff } from '../src/ui/diff/Diff.js';
import { Icon } from '../src/ui/icon/Icon.js';
import { Kbd } from '../src/ui/kbd/Kbd.js';
import { LineChart } from '../src/ui/line-chart/LineChart.js';
import { Meter } from '../src/ui/meter/Meter.js';
import { DayList } from '../src/ui/part-list/DayList.js';
import { PartHead, PartList } from '../src/ui/part-list/PartList.js';
import { FoldedOnPhone } from '../src/ui/property-list/FoldedOnPhone.js';
import { Property, PropertyList } from '../src/ui/property-list/PropertyList.js';
import { QrCode } from '../src/ui/qr-code/QrCode.js';
import { Sparkline } from '../src/ui/sparkline/Sparkline.js';
import { Status } from '../src/ui/status/Status.js';
import { Tag, Tags } from '../src/ui/tag/Tag.js';
import { ARABIC, LONG_NAME, Sample } from './Sample.js';

export function Facts(): ReactNode {
  return (
    <>
      <Sample title="Status">
        <Status look="online" />
        <Status look="online">Online · 12 d</Status>
        <Status look="offline">Offline · seen 3 d ago</Status>
        <Status look="warning">Agent outdated</Status>
        <Status look="error">Refused: {LONG_NAME}</Status>
        <div className="row">
          Without their words: <Status look="online" hideWord /> <Status look="offline" hideWord /> <Status look="warning" hideWord />{' '}
          <Status look="error" hideWord />
        </div>
      </Sample>
      <Sample title="Badge">
        <div className="row wrap">
          <Badge>Neutral</Badge>
          <Badge look="accent">New</Badge>
          <Badge look="ok">Ready</Badge>
          <Badge look="warn" icon={TriangleAlert}>
            Expires in 5 h
          </Badge>
          <Badge look="bad">Revoked</Badge>
          <Badge>{LONG_NAME}</Badge>
        </div>
      </Sample>
      <Sample title="Tag">
        <Tags names={['server', 'critical', 'reception', 'kiosk', 'windows', 'backup', 'lab', ARABIC, LONG_NAME]} />
        <div className="row wrap">
          <Tag name="server" onRemove={() => undefined} />
          <Tag name={LONG_NAME} onRemove={() => undefined} />
        </div>
      </Sample>
      <Sample title="Meter">
        <Meter label="Memory" value={0.42} detail="13.4 of 32 GB" />
        <Meter label="Storage" value={0.88} detail="440 of 500 GB" />
        <Meter label="CPU" value={0.97} />
        <Meter label={LONG_NAME} value={0} detail="0 B of 2 TB" />
        <Meter label="Only the bar" value={0.6} barOnly />
      </Sample>
      <Sample title="PropertyList">
        <PropertyList>
          <Property term="Operating system">Windows Server 2022 Datacenter</Property>
          <Property term="Device id" mono copy="8d9a1f6e-2c0b-4b53-9a55-0c6c7f5e1f3a">
            8d9a1f6e-2c0b-4b53-9a55-0c6c7f5e1f3a
          </Property>
          <Property term="Addresses" mono copy="10.0.0.12">
            10.0.0.12, fe80::1c2d:3e4f:5a6b:7c8d
          </Property>
          <Property term="Alias" />
          <Property term="Name" copy={LONG_NAME}>
            {LONG_NAME}
          </Property>
        </PropertyList>
      </Sample>
      <Sample title="FoldedOnPhone">
        <FoldedOnPhone label="Details">
          <PropertyList>
            <Property term="Operating system">Windows Server 2022 Datacenter</Property>
          </PropertyList>
        </FoldedOnPhone>
      </Sample>
      <Sample title="PartList">
        <PartList>
          <PartHead>
            <h3>Mail</h3>
            <Status look="online">Set up</Status>
          </PartHead>
          <PartHead>
            <h3>{LONG_NAME}</h3>
            <Status look="warning">Needs attention</Status>
          </PartHead>
        </PartList>
      </Sample>
      <Sample title="DayList">
        <DayList day="Friday, November 27">
          <li>Front desk 2 went offline</li>
          <li>{LONG_NAME}</li>
        </DayList>
      </Sample>
      <Sample title="CopyField">
        <CopyField label="Command" value="curl -fsSL https://devices.example.com/install.sh | sudo sh -s -- --key 8d9a1f6e" />
        <CopyField
          label="Command, all lines"
          wrap
          value="curl -fsSL https://devices.example.com/install.sh | sudo sh -s -- --key 8d9a1f6e"
        />
        <CopyField label="Id" hideLabel value="8d9a1f6e" hint="Scripts name the device by this id." />
        <div>
          <CopyTextButton text="8d9a1f6e" label="Copy command" look="primary" />
        </div>
      </Sample>
      <Sample title="Kbd">
        <div className="row">
          <Kbd keys="Mod+K" /> <Kbd keys="Shift+F10" /> <Kbd keys="?" /> <Kbd keys="Ctrl+Shift+ArrowUp" /> <Kbd keys="g d" />
        </div>
      </Sample>
      <Sample title="Avatar">
        <div className="row">
          <Avatar name="Dana Schmidt" /> <Avatar name="admin" size={32} /> <Avatar name={ARABIC} size={48} /> <Avatar name="" />
        </div>
      </Sample>
      <Sample title="Sparkline">
        <div className="row">
          <Sparkline label="Devices online: 4 to 9" values={[4, 5, 5, 7, 6, 8, 9, 9, 7, 8]} /> 8
        </div>
        <Sparkline label="With a gap" values={[4, 5, null, null, 6, 8, 9]} width={200} height={40} />
        <Sparkline label="Nothing yet" values={[]} />
      </Sample>
      <Sample title="LineChart">
        <div className="grow">
          <LineChart
            label="Devices and users online"
            times={[0, 40, 300, 420, 900, 1200, 1500]}
            lines={[
              { name: 'Devices online', values: [812, 830, 828, null, 900, 1071, 1060] },
              { name: 'Users online', values: [3, 4, 4, null, 9, 12, 11] },
            ]}
          />
        </div>
      </Sample>
      <Sample title="QrCode">
        <QrCode text="https://devices.example.com/install?key=8d9a1f6e-2c0b-4b53-9a55-0c6c7f5e1f3a" label="Address of the installer" />
      </Sample>
      <Sample title="Banner">
        <Banner>Devices appear here within seconds.</Banner>
        <Banner look="ok">Saved.</Banner>
        <Banner look="warn" actions={<Button>Renew</Button>}>
          This key expires in 5 h. Devices that register later need another one.
        </Banner>
        <Banner look="bad">The service refused: {LONG_NAME}</Banner>
      </Sample>
      <Sample title="Diff">
        <Diff
          before={{ displayName: 'Helpdesk', scope: { kind: 'Tenant' }, effect: 'Allow', note: null }}
          after={{ displayName: 'Helpdesk East', scope: { kind: 'Customer', name: LONG_NAME }, effect: 'Allow', note: 'Until March' }}
        />
        <Diff before={{ a: 1 }} after={{ a: 1 }} />
      </Sample>
      <Sample title="Text">
        <p>Body text, 14/20. A paragraph may run over several lines and then has this line height.</p>
        <p className="muted">
          Muted text with a{' '}
          <a href="#top" className="link">
            link
          </a>{' '}
          and <code>code</code>.
        </p>
        <p className="faint">Faint text, the smallest contrast allowed.</p>
        <p className="meta">Meta text, 12/16.</p>
        <p className="row">
          <Icon of={Monitor} /> <span className="cut">{LONG_NAME}</span>
        </p>
      </Sample>
    </>
  );
}
