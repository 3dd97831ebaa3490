import { describe, expect, it } from 'vitest';

import { systemName } from './system-name.js';

describe('the name of a system in few words', () => {
  it.each([
    ['Microsoft Windows 11 Pro 10.0.26100 (24H2)', 'Windows 11 Pro 24H2'],
    ['Microsoft Windows 11 Pro 10.0.22631', 'Windows 11 Pro 23H2'],
    ['Microsoft Windows 10 Professional 10.0.19045 (22H2)', 'Windows 10 Pro 22H2'],
    ['Windows 11 Enterprise 24H2', 'Windows 11 Enterprise 24H2'],
    ['Windows 11 Pro', 'Windows 11 Pro'],
    ['Microsoft Windows 10.0.26100', 'Windows 11 24H2'],
    ['Microsoft Windows 10.0.19045', 'Windows 10 22H2'],
    ['Microsoft Windows Server 2022 Standard 10.0.20348 (21H2)', 'Windows Server 2022 Standard'],
    ['Microsoft® Windows Server® 2019 Datacenter', 'Windows Server 2019 Datacenter'],
    ['Windows Server 2022', 'Windows Server 2022'],
    ['Debian GNU/Linux 12 (bookworm)', 'Debian 12'],
    ['Ubuntu 24.04.1 LTS (Noble Numbat)', 'Ubuntu 24.04.1 LTS'],
    ['Ubuntu 24.04.1 LTS', 'Ubuntu 24.04.1 LTS'],
    ['Red Hat Enterprise Linux 9.4 (Plow)', 'RHEL 9.4'],
    ['Fedora Linux 40 (Workstation Edition)', 'Fedora 40'],
    ['AlmaLinux 9.4 (Seafoam Ocelot)', 'AlmaLinux 9.4'],
    ['Linux 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)', 'Linux 6.1'],
    ['Linux 6.1', 'Linux 6.1'],
    ['Darwin 23.5.0 Darwin Kernel Version 23.5.0: Wed May  1 20:12:58 PDT 2024; root:xnu-10063', 'macOS 14'],
    ['Darwin 25.0.0', 'macOS 26'],
    ['macOS 15.1.0 (Sequoia)', 'macOS 15.1.0'],
  ])('shortens %j', (description, name) => {
    expect(systemName(description)).toBe(name);
  });

  it('leaves what it does not know as it is', () => {
    for (const text of ['', 'OpenBSD 7.5', 'Microsoft Windows 10.0.99999', 'Darwin 9.8.0'])
      expect(systemName(text)).toBe(text.replace('Microsoft ', ''));
  });
});
