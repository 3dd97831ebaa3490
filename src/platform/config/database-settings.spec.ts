import { describe, expect, it } from 'vitest';
import { parseConnectionString, parseHost } from './database-settings.js';

describe('parseConnectionString', () => {
  const plain = { kind: 'external', host: 'db', port: 5432, user: 'me', password: 'pw', database: 'devices', ssl: false };

  it.each([
    ['postgres://me:pw@db/devices', plain],
    ['postgresql://me:pw@db:6000/devices', { ...plain, port: 6000 }],
    ['postgres://me:p%40w%2F@db/devices', { ...plain, password: 'p@w/' }],
    ['postgres://me:pw@[::1]/devices', { ...plain, host: '::1' }],
    ['postgres://me:pw@db', { ...plain, database: 'me' }],
    ['postgres://me:pw@db/devices?sslmode=require', { ...plain, ssl: { rejectUnauthorized: false } }],
    ['postgres://me:pw@db/devices?sslmode=verify-full', { ...plain, ssl: { rejectUnauthorized: true } }],
    ['postgres:///devices?host=/run/postgresql&user=me&password=pw', { ...plain, host: '/run/postgresql' }],
    ['Host=db;Username=me;Password=pw;Database=devices', plain],
    ['Server = db ; Port = 6000 ; User Id = me ; Password = pw ; Database = devices ;', { ...plain, port: 6000 }],
    ['host=db;username=me;password="p;w=""x""";database=devices', { ...plain, password: 'p;w="x"' }],
    ["Host=db;Username=me;Password='it''s';Database=devices", { ...plain, password: "it's" }],
    ['Host=db;Username=me;Password=a=b;Database=devices', { ...plain, password: 'a=b' }],
    ['Host=db;Username=me;Password=pw;Database=devices;SSL Mode=VerifyFull', { ...plain, ssl: { rejectUnauthorized: true } }],
  ])('reads %s', (text, database) => {
    expect(parseConnectionString(text)?.database).toEqual(database);
  });

  it('leaves the password out when there is none', () => {
    expect(parseConnectionString('postgres://me@db/devices')?.database).not.toHaveProperty('password');
  });

  it('counts the parts that mean nothing here', () => {
    expect(parseConnectionString('Host=db;Username=me;Pooling=true;Timeout=5')?.ignored).toBe(2);
    expect(parseConnectionString('postgres://me@db/devices?application_name=x')?.ignored).toBe(1);
  });

  it.each([
    'devices',
    'mysql://me:pw@db/devices',
    'postgres://',
    'postgres://db/devices',
    'postgres://me:%zz@db/devices',
    'postgres://me:pw@db:99999/devices',
    'Host=db',
    'Username=me;Database=devices',
    'Host=db;Username=me;Port=many',
    'Host=db;Username=me;Port=0',
    'Host=db;Username=me;SslMode=perhaps',
    'Host=db;Username=me;Password="open',
  ])('refuses %s', (text) => {
    expect(parseConnectionString(text)).toBeUndefined();
  });
});

describe('parseHost', () => {
  it.each([
    ['db.example.org', { host: 'db.example.org' }],
    ['/run/postgresql', { host: '/run/postgresql' }],
    ['postgres://db:6000', { host: 'db', port: 6000 }],
    ['postgres://db', { host: 'db' }],
    ['tcp://[::1]:6000', { host: '::1', port: 6000 }],
  ])('reads %s', (text, address) => {
    expect(parseHost(text)).toEqual(address);
  });

  it.each(['two words', 'postgres://', 'a;b'])('refuses %s', (text) => {
    expect(parseHost(text)).toBeUndefined();
  });
});
