import { describe, expect, it } from 'vitest';
import { byteLimit, qualityFor, RateMeter, USUAL_SETTINGS } from './quality.js';

const AUTOMATIC = {
  ...USUAL_SETTINGS,
  autoQualityMaximum: 80,
  autoQualityMinimum: 20,
  autoQualityLowerThresholdMbps: 10,
  autoQualityUpperThresholdMbps: 30,
};

describe('quality', () => {
  it.each([
    [0, 80],
    [10, 80],
    [20, 50],
    [30, 20],
    [1_000, 20],
  ])('at %i Mbit/s is %i', (mbps, quality) => {
    expect(qualityFor(AUTOMATIC, mbps)).toBe(quality);
  });

  it('is what the viewer says where it is not automatic, within its limits', () => {
    const manual = { ...AUTOMATIC, isAutoQualityEnabled: false };
    expect([-5, 0, 42, 1e9].map((manualQuality) => qualityFor({ ...manual, manualQuality }, 50))).toEqual([1, 1, 42, 100]);
  });

  it('stays within its limits when the settings make no sense', () => {
    const odd = {
      ...AUTOMATIC,
      autoQualityMaximum: 20,
      autoQualityMinimum: 80,
      autoQualityLowerThresholdMbps: 30,
      autoQualityUpperThresholdMbps: 10,
    };
    for (const mbps of [0, 15, 20, 50]) expect(qualityFor(odd, mbps)).toBe(20);
  });
});

describe('the rate', () => {
  it('is that of the last second', () => {
    const rate = new RateMeter();
    rate.add(125_000, 0);
    rate.add(125_000, 500);
    expect([rate.mbps(999), rate.mbps(1_000), rate.mbps(1_500)]).toEqual([2, 1, 0]);
  });

  it('has a limit where the settings enable one', () => {
    expect(byteLimit(AUTOMATIC)).toBe(Infinity);
    expect(byteLimit({ ...AUTOMATIC, isMaxBandwidthEnabled: true, maxBandwidthMbps: 8 })).toBe(1_000_000);
    expect(byteLimit({ ...AUTOMATIC, isMaxBandwidthEnabled: true, maxBandwidthMbps: 0 })).toBe(Infinity);
  });
});

describe('a limit of the rate', () => {
  it('holds in every second: what is to be sent waits until enough of what was sent is a second old', () => {
    const meter = new RateMeter();
    meter.add(60, 1_000);
    meter.add(30, 1_400);
    expect(meter.freeAt(10, 100)).toBe(-Infinity);
    expect(meter.freeAt(11, 100)).toBe(2_000);
    expect(meter.freeAt(80, 100)).toBe(2_400);
    expect(meter.freeAt(500, 100)).toBe(2_400);
  });
});
