using System;
using System.Globalization;
using System.Text;

/// <summary>Reads lines "appId userId percent", prints the bucket and whether the user is admitted.</summary>
static class Rollout
{
    /// <summary>Whether a user without an explicit status is admitted.</summary>
    static bool IsInRollout(string appId, string userId, decimal percent) => Bucket(appId, userId) < percent * 100;

    /// <summary>From 0 to 9,999.</summary>
    static uint Bucket(string appId, string userId) => Murmur3(Encoding.UTF8.GetBytes(appId + ":" + userId)) % 10000;

    /// <summary>MurmurHash3 x86 32 with seed 0.</summary>
    static uint Murmur3(byte[] data)
    {
        uint hash = 0, block = 0;
        for (var at = 0; at < data.Length; at++)
        {
            block |= (uint)data[at] << 8 * (at % 4);
            if (at % 4 < 3) continue;
            hash = RotateLeft(hash ^ Scramble(block), 13) * 5 + 0xe6546b64;
            block = 0;
        }
        hash ^= Scramble(block) ^ (uint)data.Length;
        hash = (hash ^ hash >> 16) * 0x85ebca6b;
        hash = (hash ^ hash >> 13) * 0xc2b2ae35;
        return hash ^ hash >> 16;
    }

    static uint Scramble(uint block) => RotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
    static uint RotateLeft(uint word, int bits) => word << bits | word >> 32 - bits;

    static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var part = line.Split(' ');
            var isIn = IsInRollout(part[0], part[1], decimal.Parse(part[2], CultureInfo.InvariantCulture));
            Console.WriteLine(Bucket(part[0], part[1]) + (isIn ? " in" : " out"));
        }
    }
}
